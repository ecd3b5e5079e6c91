import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** A connection whose every byte a test decides. */
export interface Raw {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** The bytes received so far. */
  said(): string;
  /** Resolves once this has been received, or the connection is closed. */
  wait(what: RegExp): Promise<string>;
  /** Once the server closed it. */
  readonly closed: Promise<void>;
}

/**
 * @param url with https, the bytes go through TLS
 * @param from the address of this machine from which to connect, and whether the client never hangs up
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
    send: (bytes) => void socket.write(bytes),
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

/** The head of a request with a JSON body; the body is to be sent once the server has read the head. */
export const headOf = (path: string, token: string, body: string): string =>
  rawRequest([
    `POST ${path} HTTP/1.1`,
    "Host: parley",
    "Content-Type: application/json",
    `Authorization: Bearer ${token}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Expect: 100-continue",
  ]);

/** A request as text; the lines of its head, and its body. */
export const rawRequest = (lines: readonly string[], body = ""): string =>
  `${lines.join("\r\n")}\r\n\r\n${body}`;

/** The bytes that came back over a connection. */
export interface RawAnswer {
  /** 0 if the connection was cut without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Everything received, including further answers. */
  readonly all: string;
}

const QUIET_MS = 1_500;
/** The wait after a possible end of an answer. */
const SHORTLY_MS = 150;

/**
 * Sends bytes unchanged and reads until the service closes the connection.
 *
 * @param mayBeQuiet whether the service may send nothing, or leave the connection open: silence then counts
 *   as the end
 */
export const sendRaw = async (
  url: string,
  bytes: string | Buffer,
  mayBeQuiet = false,
): Promise<RawAnswer> => {
  const { socket, send, said, closed } = openRaw(url);
  await once(socket, "connect");
  send(bytes);
  if (mayBeQuiet) {
    socket.setTimeout(QUIET_MS, () => socket.destroy());
    socket.on("data", () => socket.setTimeout(said().endsWith("}") ? SHORTLY_MS : QUIET_MS));
  }
  await closed;
  return parse(said());
};

const parse = (all: string): RawAnswer => {
  const [head = "", ...rest] = all.split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return {
    status: Number(start.split(" ")[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join("\r\n\r\n"),
    all,
  };
};
