import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { refuse } from "../refusal.ts";

/** The folder of the built console. */
export interface ConsoleFiles {
  readonly folder: string;
}

/**
 * The pages load their own files only, nothing inline, and evaluate nothing.
 *
 * @param framedBy origins whose pages may show the page in a frame
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

/** The paths of the page of a meeting, and of a shared recording; every other path is the console's. */
const MEETING = /^\/m\//;
const MEETING_FILE = /\bmeet\.html(\.\w+)?$/;
const pageAt = (url: string): string => {
  if (MEETING.test(url)) return "meet.html";
  return url.startsWith("/r/") ? "watch.html" : "index.html";
};

const ACCEPTS_PAGE = /(?:^|,)\s*(?:text\/html|text\/\*|\*\/\*)/;

/**
 * Serves the console, the page of a meeting and that of a recording: their files by name, and the pages
 * at every other address that a browser requests, so that reloading works. Everything else is a JSON 404.
 */
export const serveConsole = async (
  app: FastifyInstance,
  files: ConsoleFiles | undefined,
  { embedOrigins }: Pick<Config, "embedOrigins">,
): Promise<void> => {
  if (files) {
    const policies = { meeting: policyFor(embedOrigins), console: policyFor([]) };
    await app.register(fastifyStatic, {
      root: files.folder,
      wildcard: false,
      preCompressed: true,
      // Sent in place of the files beside them: a route for each would only make the start longer.
      globIgnore: ["**/*.{br,gz}"],
      cacheControl: false,
      index: false,
      setHeaders: (reply, path) => {
        // By file, not by address: several addresses lead to the page.
        if (/\.html(\.\w+)?$/.test(path)) {
          const policy = policies[MEETING_FILE.test(path) ? "meeting" : "console"];
          reply.header("content-security-policy", policy).header("referrer-policy", "same-origin");
        }
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
    return reply.sendFile(pageAt(request.url));
  });
};
