// Runs: sqlite

import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

const MANY = 6;
/** How long a connection without a request is kept (server/http/limits.ts). */
const STAYS_OPEN_MS = 72_000;

test("a stopping service answers running requests and does not wait for kept-alive connections", async (t) => {
  const world = await startWorld(t);
  const { token, id } = await world.tenant();
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const { hostname, port } = new URL(world.url);
  let read = 0;
  const create = (n: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        expect: "100-continue",
      };
      const asked = request(
        { hostname, port, agent, method: "POST", path: "/api/user/orgUser", headers },
        (answer) => answer.resume().on("end", () => resolve(answer.statusCode)),
      );
      asked.on("error", reject);
      const body = { email: `p${n}@${id}.org`, name: "Ann", loginUrl: "https://x.org" };
      asked.flushHeaders();
      // Once its head has been read: a request still on its way may be lost when a service stops.
      asked.on("continue", () => {
        read += 1;
        asked.end(JSON.stringify(body));
      });
    });
  // Each waits for its password to be hashed, one after the other.
  const creating = Promise.all(Array.from({ length: MANY }, (_, n) => create(n)));
  await until("every request has been read", () => read === MANY);
  const begun = performance.now();
  await world.parley.stop();
  const took = performance.now() - begun;
  const statuses = await creating;
  // On a busy machine a request may reach its deadline (503). Never all: the first one is in progress.
  assert.deepEqual(new Set([...statuses, 201, 503]), new Set([201, 503]), `${statuses}`);
  assert.ok(statuses.includes(201), `${statuses}`);
  assert.ok(took < STAYS_OPEN_MS, `it took ${Math.round(took)} ms`);
});

test("a part that cannot be stopped does not keep other parts running", async (t) => {
  const world = await startWorld(t);
  const { captures, stop } = world.parley;
  t.mock.method(captures, "stop", () => Promise.reject(new Error("stuck")));
  await assert.rejects(stop(), /stuck/);
  await assert.rejects(fetch(world.url));
  // The lock of the data folder is free as well.
  const again = await startWorld(t, { place: world.environment });
  assert.equal((await fetch(`${again.url}/healthz`)).status, 200);
});
