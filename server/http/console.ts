import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "../config/config.ts";
import { refuse } from "../lib/refusal.ts";

/** The folder of the built console. */
export interface ConsoleFiles {
  readonly folder: string;
}

/**
 * Pages load only their own files, nothing inline, and evaluate nothing.
 *
 * @param framedBy origins whose pages may frame the page
 */
const policyFor = (framedBy: readonly string[]): string =>
  [
    // Covers the meeting socket too: 'self' means ws and wss of the same host (CSP level 3).
    "default-src 'self'",
    "media-src 'self' blob: mediastream:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(" ")}`,
  ].join("; ");

const YEAR_SECONDS = 365 * 24 * 3600;

/** The paths of meetings and of shared recordings; every other path is the console's. */
const MEETING = /^\/+m(?:[/?]|$)/i;
const MEETING_FILE = /\bmeet\.html(\.\w+)?$/;
/** The kit that shows meetings in other pages. */
const KIT_FILE = /[\\/]embed\.js(\.\w+)?$/;
const PAGES = "*.html";
const pageAt = (url: string): string => {
  if (MEETING.test(url)) return "meet.html";
  return url.startsWith("/r/") ? "watch.html" : "index.html";
};

/** The pages by their files' names, with the addresses of their parts below a path. */
const pagesBelow = (basePath: string, folder: string): ReadonlyMap<string, string> =>
  new Map(
    globSync(PAGES, { cwd: folder }).map((name) => [
      name,
      readFileSync(join(folder, name), "utf8").replace(/\b(href|src)="\//g, `$1="${basePath}/`),
    ]),
  );

const ACCEPTS_PAGE = /(?:^|,)\s*(?:text\/html|text\/\*|\*\/\*)/;

/**
 * Serves the console, the page of a meeting and that of a recording: files by name, and the pages
 * at every other address that a browser requests, so that reloading works. Everything else is a
 * JSON 404.
 */
export const serveConsole = async (
  app: FastifyInstance,
  files: ConsoleFiles | undefined,
  { basePath, embedOrigins }: Pick<Config, "basePath" | "embedOrigins">,
): Promise<void> => {
  const policies = { meeting: policyFor(embedOrigins), console: policyFor([]) };
  /** A page's headers: by its file, because several addresses lead to it. */
  const describe = (reply: Pick<FastifyReply, "header">, file: string): void => {
    const policy = policies[MEETING_FILE.test(file) ? "meeting" : "console"];
    reply
      .header("content-security-policy", policy)
      // A page that opened this one could lead its window to a copy elsewhere.
      .header("cross-origin-opener-policy", "same-origin")
      .header("referrer-policy", "same-origin")
      .header("cache-control", "no-cache");
  };
  const pages = files && basePath !== "" ? pagesBelow(basePath, files.folder) : undefined;
  // For the page of a meeting in a frame, which hears no other origin. The policy says the same.
  app.get("/embed.json", { config: { counts: "nothing" } }, (_request, reply) =>
    reply.header("cache-control", "no-cache").send({ origins: embedOrigins }),
  );
  if (files) {
    // The files' routes, which the library makes: a page loads dozens, and none asks the database.
    app.addHook("onRoute", (route) => {
      route.config = { ...route.config, counts: "nothing" };
    });
    await app.register(fastifyStatic, {
      root: files.folder,
      wildcard: false,
      preCompressed: true,
      // Sent in place of the files beside them: a route for each would only make the start longer.
      globIgnore: ["**/*.{br,gz}", ...(pages ? [PAGES] : [])],
      cacheControl: false,
      index: false,
      setHeaders: (reply, path) => {
        if (/\.html(\.\w+)?$/.test(path)) return describe(reply, path);
        // A module that pages of other origins import; it is the same for everybody.
        if (KIT_FILE.test(path)) reply.header("access-control-allow-origin", "*");
        // Vite puts a hash into the name of every file below assets/.
        const isNamedByContent = /[\\/]assets[\\/]/.test(path);
        reply.header(
          "cache-control",
          isNamedByContent ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
        );
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    // Link checkers and curl accept anything: at "/", which is no operation, they get the page too.
    const isRoot = /^\/(?:\?|$)/.test(request.url);
    const { accept = "*/*" } = request.headers;
    const acceptsPage = isRoot ? ACCEPTS_PAGE.test(accept) : accept.includes("text/html");
    const wantsPage = (request.method === "GET" || request.method === "HEAD") && acceptsPage;
    if (!files || !wantsPage) return refuse("not_found");
    const file = pageAt(request.url);
    if (pages === undefined) return reply.sendFile(file);
    describe(reply, file);
    return reply.type("text/html; charset=utf-8").send(pages.get(file));
  });
};
