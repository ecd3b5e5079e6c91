import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";

const METHODS = "GET, POST, PUT, DELETE";
const HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match";
/** The headers of an answer that a script of another origin may read. */
const EXPOSED =
  "ETag, Idempotency-Replayed, Parley-Ignored, Parley-Note, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";
const DAY_SECONDS = 86_400;

/**
 * Lets pages of the configured origins call the interface with their own token; cookies are never
 * shared. Without CORS_ORIGINS, browsers refuse such calls.
 */
export const allowOrigins = (
  app: FastifyInstance,
  { corsOrigins }: Pick<Config, "corsOrigins">,
): void => {
  if (corsOrigins.length === 0) return;
  app.addHook("onRequest", async (request, reply) => {
    reply.header("vary", "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !corsOrigins.includes(origin)) return;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", EXPOSED);
    const isPreflight =
      request.method === "OPTIONS" &&
      request.headers["access-control-request-method"] !== undefined;
    if (!isPreflight) return;
    reply
      .header("access-control-allow-methods", METHODS)
      .header("access-control-allow-headers", HEADERS)
      .header("access-control-max-age", DAY_SECONDS);
    return reply.status(204).send();
  });
};
