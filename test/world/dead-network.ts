import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Scope } from "./empty-database.ts";

/**
 * A proxy in front of a service on which the network can die: nothing is refused, and nothing comes through.
 */
export interface Way {
  /** The service's address through this proxy. */
  readonly url: string;
  die(): void;
  /** Data sent in the meantime arrives, because TCP retransmits it. */
  live(): void;
}

/** Stands between a service and its clients. */
export const startWay = async (t: Scope, target: string): Promise<Way> => {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isDead = false;
  const join = ([client, upstream]: readonly [Socket, Socket]): void => {
    client.pipe(upstream).pipe(client);
  };
  const server = createServer((client) => {
    const pair = [client, connect(Number(port), hostname)] as const;
    pairs.add(pair);
    for (const [one, other] of [pair, pair.toReversed()]) {
      one?.setNoDelay(true).on("error", () => {});
      one?.on("close", () => {
        pairs.delete(pair);
        other?.destroy();
      });
    }
    if (!isDead) join(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const [client] of pairs) client.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    die: () => {
      isDead = true;
      for (const socket of [...pairs].flat()) socket.unpipe().pause();
    },
    live: () => {
      isDead = false;
      for (const pair of pairs) join(pair);
    },
  };
};
