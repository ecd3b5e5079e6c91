import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { yamlOf } from "../lib/yaml.ts";
import { serveDocument } from "./document.ts";

const POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const sourceOf = (file: string): Promise<string> =>
  readFile(new URL(file, import.meta.url), "utf8");

/** Serves the OpenAPI document, the AsyncAPI document of the meeting socket, and the page made from the first. */
export const serveDocs = async (
  app: FastifyInstance,
  {
    basePath,
    publicUrl,
    publicUrlGiven,
  }: Pick<Config, "basePath" | "publicUrl" | "publicUrlGiven">,
): Promise<void> => {
  // Without an address that is given, the document says only: where it is.
  const server = publicUrlGiven ? publicUrl.replace(/\/$/, "") : basePath;
  const { version } = packageJson;
  // Loaded only when somebody asks: all descriptions and examples.
  const openapi = async () => (await import("./openapi.ts")).openApiDocument(version, server);
  const documents: Readonly<Record<string, () => Promise<unknown>>> = {
    openapi,
    asyncapi: async () => (await import("./asyncapi.ts")).asyncApiDocument(version, server),
  };
  for (const [name, document] of Object.entries(documents)) {
    serveDocument(app, `/${name}.json`, {
      type: "application/json; charset=utf-8",
      text: async () => JSON.stringify(await document()),
    });
    serveDocument(app, `/${name}.yaml`, {
      type: "application/yaml; charset=utf-8",
      text: async () => yamlOf(await document()),
    });
  }
  const page = async () => {
    const { docsPage } = await import("./docs-page.ts");
    return docsPage(await openapi(), basePath, publicUrl.replace(/\/$/, ""));
  };
  for (const path of ["/docs", "/docs/"]) {
    serveDocument(app, path, { type: "text/html; charset=utf-8", policy: POLICY, text: page });
  }
  serveDocument(app, "/docs/page.css", {
    type: "text/css; charset=utf-8",
    text: () => sourceOf("docs-page.css"),
  });
  serveDocument(app, "/docs/page.js", {
    type: "text/javascript; charset=utf-8",
    text: () => sourceOf("docs-script.js"),
  });
};
