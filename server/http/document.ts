import type { FastifyInstance } from "fastify";
import { entityTagOf, hasVersion } from "../lib/entity-tag.ts";
import { compress, type Encoding, encodingFor, varyByEncoding } from "./compress.ts";

/** A text that is the same for everybody. */
export interface Document {
  readonly type: string;
  /** The sources from which a page may load, as a Content-Security-Policy. */
  readonly policy?: string;
  readonly text: () => Promise<string>;
}

/**
 * Serves a document: made when first requested, because few starts need it, compressed once per
 * encoding, and sent again only after a change.
 */
export const serveDocument = (
  app: FastifyInstance,
  path: string,
  { type, policy, text }: Document,
): void => {
  let making: Promise<{ readonly body: string; readonly tag: string }> | undefined;
  const compressed = new Map<Encoding, Promise<Buffer>>();
  app.get(path, async (request, reply) => {
    making ??= text().then((body) => ({ body, tag: entityTagOf(body) }));
    const { body, tag } = await making;
    const encoding = encodingFor(request);
    varyByEncoding(reply).header("cache-control", "no-cache");
    // A strong tag belongs to one encoding (RFC 9110, 8.8.3).
    reply.header("etag", encoding ? tag.replace(/"$/, `-${encoding}"`) : tag);
    if (hasVersion(request.headers["if-none-match"], tag)) return reply.status(304).send();
    reply.type(type);
    if (policy !== undefined) {
      reply
        .header("content-security-policy", policy)
        .header("cross-origin-opener-policy", "same-origin");
    }
    if (encoding === undefined) return reply.send(body);
    const zipped = compressed.get(encoding) ?? compress(body, encoding);
    compressed.set(encoding, zipped);
    return reply.header("content-encoding", encoding).send(await zipped);
  });
};
