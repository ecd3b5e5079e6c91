import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** A connection of which a test decides every byte. */
export interface Raw {
  readonly socket: Socket;
  send(text: string): void;
  /** What came back so far. */
  said(): string;
  /** Once it has been said, or the connection is closed. */
  wait(what: RegExp): Promise<string>;
  /** Once the server closed it. */
  readonly closed: Promise<void>;
}

/**
 * @param url with https, the bytes go through TLS
 * @param from an address of this machine to call from, and whether it never hangs up
 */
export const openRaw = (
  url: string,
  from: { readonly localAddress?: string; readonly allowHalfOpen?: boolean } = {},
): Raw => {
  const { port, hostname, protocol } = new URL(url);
  const to = { port: Number(port), host: hostname, ...from };
  const socket = protocol === "https:" ? connectTls(to) : connect(to);
  let said = "";
  let look = (): void => {};
  socket.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    look();
  });
  socket.on("error", () => {});
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => {
    resolve();
    look();
  });
  return {
    socket,
    send: (text) => void socket.write(text),
    said: () => said,
    wait: (what) =>
      new Promise((done) => {
        look = () => {
          if (what.test(said) || socket.destroyed) done(said);
        };
        look();
      }),
    closed,
  };
};

/** The head of a request with a JSON body; the body is sent once the server has read the head. */
export const headOf = (path: string, token: string, body: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: parley",
    "Content-Type: application/json",
    `Authorization: Bearer ${token}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Expect: 100-continue",
    "\r\n",
  ].join("\r\n");
