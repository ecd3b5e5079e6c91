import { pipeline, type Readable } from "node:stream";
import { promisify } from "node:util";
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from "node:zlib";
import negotiate from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "../../contract/kit/operation.ts";
import { holdsSecret } from "../records/room-secrets.ts";

/*
 * An answer is compressed only where no secret stands beside text that others choose, because its
 * length would reveal the secret (decision 0044). So an operation says whether its answers may be
 * compressed.
 */

export type Encoding = "br" | "gzip";

/** Compression hardly shortens a shorter text. */
const SHORT = 1_024;

/** As fast as gzip; the default takes thirty times as long. */
const brotli: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The encoding that a client takes; undefined for none. */
export const encodingFor = ({ headers }: Pick<FastifyRequest, "headers">): Encoding | undefined =>
  (negotiate.negotiate(String(headers["accept-encoding"] ?? ""), ["br", "gzip"]) ?? undefined) as
    | Encoding
    | undefined;

const zipped = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Compresses a text off the event loop. */
export const compress = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === "br" ? zipped.br(text, brotli) : zipped.gzip(text);

/** Compresses what is sent in pieces, each as it comes. */
const compressPieces = (pieces: Readable, encoding: Encoding): Readable =>
  // A failure cuts the answer, as without compression.
  pipeline(
    pieces,
    encoding === "br"
      ? createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ flush: constants.Z_SYNC_FLUSH }),
    () => {},
  );

/** Says that other clients get another encoding. */
export const varyByEncoding = (reply: FastifyReply): FastifyReply => {
  const vary = reply.getHeader("vary");
  return reply.header("vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
};

/** The body of an answer, compressed where it may be and its client takes it. */
export const encodedBody = async (
  { compressed }: Pick<Operation, "compressed">,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Readable,
): Promise<string | Buffer | Readable> => {
  // A version belongs to one encoding.
  if (reply.hasHeader("etag")) return body;
  varyByEncoding(reply);
  const encoding = encodingFor(request);
  if (encoding === undefined || request.method === "HEAD") return body;
  if (typeof body !== "string") {
    if (compressed === "without secrets") return body;
    reply.header("content-encoding", encoding);
    return compressPieces(body, encoding);
  }
  if (body.length < SHORT || (compressed === "without secrets" && holdsSecret(body))) return body;
  reply.header("content-encoding", encoding);
  return compress(body, encoding);
};
