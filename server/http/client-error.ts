import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { texts } from "../../contract/texts.ts";

interface ClientError extends Error {
  readonly code?: string;
}

const statusOf = ({ code }: ClientError): string => {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  return "400 Bad Request";
};

/** Answers what is no HTTP request, in the form of every other failure, and closes. */
export function answerClientError(this: FastifyInstance, error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({
    success: false,
    message: texts.invalid_request.text,
    code: "invalid_request",
  });
  socket.end(
    `HTTP/1.1 ${statusOf(error)}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
