import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../world/process.ts";

/** A proxy like those in front of several processes: it checks which are ready, and retries nothing. */
export interface Proxy {
  readonly url: string;
  /** How many requests each address received. */
  readonly given: ReadonlyMap<string, number>;
  /** The addresses that it may use from now on. */
  use(urls: readonly string[]): void;
}

/** The interval of the health checks. */
const LOOK_MS = 50;

export const startProxy = async (t: TestContext, first: readonly string[]): Promise<Proxy> => {
  const agent = new Agent({ keepAlive: true });
  const given = new Map<string, number>();
  const ready = new Set<string>(first);
  let urls = first;
  let isOpen = true;

  const looking = (async () => {
    for (; isOpen; await sleep(LOOK_MS)) {
      const look = async (url: string) =>
        (await isReady(url)) ? ready.add(url) : ready.delete(url);
      await Promise.all(urls.map(look));
    }
  })();

  let turn = 0;
  const server = createServer((incoming, answer) => {
    const here = urls.filter((url) => ready.has(url));
    const url = here[turn++ % here.length];
    const fail = () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end());
    if (url === undefined) return fail();
    given.set(url, (given.get(url) ?? 0) + 1);
    const { method, headers } = incoming;
    const asked = request(url + incoming.url, { method, headers, agent }, (answered) => {
      const { connection: _, ...rest } = answered.headers;
      answer.writeHead(answered.statusCode ?? 502, rest);
      answered.pipe(answer);
      answered.on("error", fail);
    });
    asked.on("error", fail);
    incoming.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    isOpen = false;
    agent.destroy();
    server.close();
    server.closeAllConnections();
    await looking;
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    use(others) {
      urls = others;
    },
  };
};
