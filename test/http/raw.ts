import { connect } from "node:net";

/** The bytes that came back over a socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Everything that came, of further answers too. */
  readonly all: string;
}

/** Sends bytes unchanged and reads until the service closes the socket or is quiet for a while. */
export const sendRaw = (url: string, bytes: string | Buffer, quietMs = 1500): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const chunks: Uint8Array[] = [];
    const done = () => {
      socket.destroy();
      resolve(parse(Buffer.concat(chunks).toString("latin1")));
    };
    socket.setTimeout(quietMs, done);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      // Once something came, a short quiet is the end of it.
      socket.setTimeout(150);
    });
    socket.on("close", done);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // Closed while bytes were on their way: the answer counts.
      if (error.code === "ECONNRESET" || error.code === "EPIPE") done();
      else reject(error);
    });
    socket.on("connect", () => socket.write(bytes));
  });

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

/** A request as text; the lines of its head, and its body. */
export const raw = (lines: readonly string[], body = ""): string =>
  `${lines.join("\r\n")}\r\n\r\n${body}`;
