import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A way to a PostgreSQL server on which every answer may come late. */
export interface LatePostgres {
  /** The same database by this way. */
  readonly url: string;
  /** How late whatever the server sends from now on arrives, in milliseconds. */
  delay(ms: number): void;
  /** What clients sent so far. */
  asked(): readonly string[];
}

/** Hands on what the server sends in its order, late. */
const handOnLate = (from: Socket, to: Socket, delayMs: () => number): void => {
  from.on("data", (bytes) => {
    setTimeout(() => to.writable && to.write(bytes), delayMs());
  });
};

/** Stands between a service and PostgreSQL. */
export const startLatePostgres = async (
  t: TestContext,
  databaseUrl: string,
): Promise<LatePostgres> => {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let late = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
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
      asked.push(bytes.toString("latin1"));
      upstream.write(bytes);
    });
    handOnLate(upstream, client, () => late);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const way = new URL(databaseUrl);
  way.hostname = "127.0.0.1";
  way.port = String((server.address() as AddressInfo).port);
  return {
    url: way.href,
    delay: (ms) => {
      late = ms;
    },
    asked: () => asked,
  };
};
