import { createRequire } from "node:module";
import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from "fastify";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { yamlOf } from "../lib/yaml.ts";
import { serveDocument } from "./document.ts";

/** The viewer's files; it sets styles inline and has its icons as data. */
const VIEWER = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

const pageBelow = (basePath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley: the API</title>
<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
<link rel="icon" href="${basePath}/docs/favicon-32x32.png">
</head>
<body>
<div id="interface"></div>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/start.js"></script>
</body>
</html>
`;

const startBelow = (
  basePath: string,
): string => `const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
SwaggerUIBundle({
  url: "${basePath}/openapi.json",
  dom_id: "#interface",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** The viewer's files, in their own scope: the console serves other files. */
const viewerFiles: FastifyPluginAsync = async (scope) => {
  const root = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  await scope.register(fastifyStatic, { root, serve: false });
  for (const file of VIEWER) {
    scope.get(`/docs/${file}`, async (_request, reply) => reply.sendFile(file, { maxAge: "1d" }));
  }
};

/** Serves the interface as an OpenAPI document, its meeting socket as an AsyncAPI document, and a page that shows it and tries it out. */
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
  const documents: Readonly<Record<string, () => Promise<unknown>>> = {
    openapi: async () => (await import("./openapi.ts")).openApiDocument(version, server),
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
  const page = async (_request: unknown, reply: FastifyReply) =>
    reply
      .header("content-security-policy", POLICY)
      .type("text/html; charset=utf-8")
      .send(pageBelow(basePath));
  app.get("/docs", page);
  app.get("/docs/", page);
  app.get("/docs/start.js", async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(startBelow(basePath)),
  );
  await app.register(viewerFiles);
};
