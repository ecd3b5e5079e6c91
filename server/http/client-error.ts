import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { texts } from "../../contract/texts.ts";
import { limits } from "./limits.ts";

interface ClientError extends Error {
  readonly code?: string;
}

const statusOf = ({ code }: ClientError): string => {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  return "400 Bad Request";
};

const TYPE = "application/json; charset=utf-8";
const BODY = JSON.stringify({
  success: false,
  message: texts.invalid_request.text,
  code: "invalid_request",
});

/** Answers malformed HTTP in the shape of every other failure, and closes the connection. */
export function answerClientError(this: FastifyInstance, error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 ${statusOf(error)}\r\nContent-Type: ${TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(BODY)}\r\nConnection: close\r\n\r\n${BODY}`,
  );
  // A client that never closes its side would hold its place for as long as it likes.
  setTimeout(() => socket.destroy(), limits.graceMs).unref();
}

/** Answers an unknown `Expect` (RFC 9110, 10.1.1); Node would answer it without a body. */
export const answerExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  const length = Buffer.byteLength(BODY);
  response
    .writeHead(417, { "content-type": TYPE, "content-length": length, connection: "close" })
    .end(BODY);
};

/**
 * Whether a request is HTTP/1 and names its host exactly once (RFC 9112, 3.2): of two hosts, a proxy
 * may have used the other one.
 */
export const isProperRequest = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return httpVersion === "1.1" ? hosts === 1 : httpVersion === "1.0" && hosts < 2;
};
