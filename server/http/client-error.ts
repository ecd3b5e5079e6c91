import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Code, texts } from "../../contract/kit/texts.ts";
import type { CarrierOf } from "./carriers.ts";
import { RETRY_SECONDS } from "./failures.ts";
import { limits } from "./limits.ts";

interface ClientError extends Error {
  readonly code?: string;
}

/** A TLS error: the client cannot read an answer yet, or any more. */
const isOfTls = ({ code = "" }: ClientError): boolean => /^ERR_(SSL|TLS)_/.test(code);

const statusOf = ({ code }: ClientError): string => {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  return "400 Bad Request";
};

const TYPE = "application/json; charset=utf-8";
const bodyOf = (message: string, code: Code = "invalid_request"): string =>
  JSON.stringify({ success: false, message, code });

/** An answer written to the socket, before the connection is closed. */
const lastAnswer = (status: string, body: string, headers = ""): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${TYPE}\r\n${headers}` +
  `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;

/** This code's failure as a connection's last answer, for requests that do not reach Fastify. */
export const lastFailure = (code: Code): string => {
  const { status, text } = texts[code];
  const retry = status === 503 || status === 429 ? `Retry-After: ${RETRY_SECONDS}\r\n` : "";
  return lastAnswer(`${status} ${STATUS_CODES[status]}`, bodyOf(text, code), retry);
};

const BODY = bodyOf(texts.invalid_request.text);
const PLAIN_HTTP = lastAnswer(
  "400 Bad Request",
  bodyOf("Here is HTTPS only: the address begins with https://."),
);

/** Answers malformed HTTP in the shape of every other failure, and closes the connection. */
export function answerClientError(this: FastifyInstance, error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET" || isOfTls(error) || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(lastAnswer(statusOf(error), BODY));
  // A client that never closes its side would keep its place.
  setTimeout(() => socket.destroy(), limits.graceMs).unref();
}

/** Answers plain HTTP on the HTTPS port, in plain HTTP, with a request to use HTTPS. */
export const answerPlainHttp = (server: Server, carrierOf: CarrierOf): void => {
  // Before Node's listener, which ends the connection.
  server.prependListener("tlsClientError", (error: ClientError, socket: Socket) => {
    if (error.code === "ERR_SSL_HTTP_REQUEST") carrierOf(socket).end(PLAIN_HTTP);
  });
};

/** Answers an unknown `Expect` (RFC 9110, 10.1.1); Node would answer it without a body. */
export const answerExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  const length = Buffer.byteLength(BODY);
  response
    .writeHead(417, { "content-type": TYPE, "content-length": length, connection: "close" })
    .end(BODY);
};

/**
 * Returns whether a request is HTTP/1 and names its host exactly once (RFC 9112, 3.2): of two, a proxy may
 * have used the other.
 */
export const isProperRequest = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return httpVersion === "1.1" ? hosts === 1 : httpVersion === "1.0" && hosts < 2;
};
