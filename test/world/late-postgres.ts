import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Scope } from "./empty-database.ts";

/** A proxy in front of a PostgreSQL server through which answers are late, missing, or cut off. */
export interface LatePostgres {
  /** The same database through this proxy. */
  readonly url: string;
  /** Nothing comes through, and nothing is refused. Set by a test. */
  frozen: boolean;
  /** Cuts a connection when the server answers its commit. Set by a test. */
  cutAtCommit: boolean;
  /** How many commits are let through first. Set by a test. */
  spared: number;
  /** The delay of everything that the server sends from now on, in milliseconds. */
  delay(ms: number): void;
  /** Closes all connections. */
  cut(): void;
  /** Closes all connections when a client sends this text for the first time. Emptied then; set by a test. */
  cutAt: string;
  /** The bytes that clients have sent so far. */
  asked(): readonly string[];
}

/** Stands between a service and PostgreSQL. */
export const startLatePostgres = async (t: Scope, databaseUrl: string): Promise<LatePostgres> => {
  const url = new URL(databaseUrl);
  const [port, hostname] = [Number(url.port), url.hostname];
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let late = 0;
  const server = createServer((client) => {
    const upstream = connect(port, hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true).on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      asked.push(text);
      if (way.cutAt !== "" && text.includes(way.cutAt)) {
        way.cutAt = "";
        way.cut();
      } else if (!way.frozen) upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      // Statements sent before the commit may be answered first.
      const hasCommitted = bytes.includes("COMMIT\0");
      if (way.cutAtCommit && hasCommitted && way.spared === 0) client.destroy();
      // Timers with the same delay fire in their order.
      else if (!way.frozen) setTimeout(() => client.writable && client.write(bytes), late);
      if (hasCommitted && way.spared > 0) way.spared -= 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    way.cut();
  });
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const way: LatePostgres = {
    url: url.href,
    frozen: false,
    cutAtCommit: false,
    spared: 0,
    delay: (ms) => {
      late = ms;
    },
    cut: () => sockets.forEach((socket) => void socket.destroy()),
    cutAt: "",
    asked: () => asked,
  };
  return way;
};
