// Runs: postgres, complete, waits
// Needs: haproxy, nginx

import assert from "node:assert/strict";
import { Agent, request } from "node:https";
import { type TestContext, test } from "node:test";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { proxies, type SampleProxy, startProxy } from "./sample-proxies.ts";

/** How many clients send one request after the other, each on a connection of its own. */
const CLIENTS = 4;
/** Requests of each client before, between and after the stops. */
const SOME = 30;

const changes = { "content-type": "application/json", host: "meet.example.org" };

/** Reads a page, or sends something. @returns the status; 0 for none */
const ask = (agent: Agent, port: number, isChange: boolean): Promise<number> =>
  new Promise((resolve) => {
    const [method, path] = isChange ? ["POST", "/api/siteSetting/getAuthToken"] : ["GET", "/docs"];
    const options = { agent, host: "127.0.0.1", port, method, path, headers: changes };
    request({ ...options, rejectUnauthorized: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    })
      .once("error", () => resolve(0))
      .end(isChange ? "{}" : undefined);
  });

/** nginx asks no process whether it is ready: what it sends in the moment in which one ends fails unless it may be
 * repeated. */
const readsOnly = new Set(["nginx"]);

/** Two services behind a proxy, of which one stops as for an upgrade. @returns the statuses that clients get */
const stopped = async (
  t: TestContext,
  proxy: SampleProxy,
  { text, isReading }: { readonly text: string; readonly isReading: boolean },
) => {
  const environment = { DRAIN_SECONDS: "5", TRUST_PROXY: "loopback" };
  const house = await openHouse(t, { environment });
  const services = [
    await startProcess(t, house.environment),
    await startProcess(t, house.environment),
  ] as const;
  const [first] = services;
  const urls = services.map(({ url }) => url);
  const { tls } = await startProxy(t, proxy, text, urls);
  const seen = new Map<number, number>();
  let count = 0;
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = number; !isOver; n += 1) {
      const status = await ask(agent, tls, !isReading && n % 2 === 0);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      count += 1;
    }
    agent.destroy();
  });
  const more = () => {
    const from = count;
    return until("more requests are answered", () => count > from + SOME * CLIENTS);
  };
  await more();
  await first.end();
  await more();
  isOver = true;
  await Promise.all(clients);
  return [...seen.keys()].toSorted();
};

/** The change that makes each sample refuse requests. */
const broken: Readonly<Record<keyof typeof proxies, (sample: string) => string>> = {
  nginx: (sample) => sample.replace("proxy_buffering off;", "$& proxy_next_upstream off;"),
  haproxy: (sample) =>
    sample
      .replace("inter 1s fall 2", "inter 20s fall 2")
      .replace(/^\toption redispatch.*$/m, "\tretries 0"),
  caddy: (sample) => sample.replace(/^\t\t(health|lb)_.*$/gm, ""),
};

for (const name of ["nginx", "haproxy", "caddy"] as const) {
  const proxy = proxies[name];
  const { skip, sample } = proxy;
  const isReading = readsOnly.has(name);
  const answered = isReading ? [200] : [200, 400];

  test(
    `${name} with the sample configuration refuses no ${isReading ? "reading " : ""}request while one of two processes stops`,
    {
      skip,
    },
    async (t) => assert.deepEqual(await stopped(t, proxy, { text: sample, isReading }), answered),
  );

  test(`${name} without these lines of the sample refuses some`, { skip }, async (t) => {
    const text = broken[name](sample);
    assert.notEqual(text, sample);
    assert.notDeepEqual(await stopped(t, proxy, { text, isReading }), answered);
  });
}
