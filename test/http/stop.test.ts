import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";

test("a service that stops answers what runs, and waits for no connection that is kept alive", async (t) => {
  const world = await startWorld(t);
  const { token, id } = await world.tenant();
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const { hostname, port } = new URL(world.url);
  const create = (n: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const asked = request(
        { hostname, port, agent, method: "POST", path: "/api/user/orgUser", headers },
        (answer) => answer.resume().on("end", () => resolve(answer.statusCode)),
      );
      asked.on("error", reject);
      const loginUrl = "https://x.org";
      asked.end(JSON.stringify({ email: `p${n}@${id}.org`, name: "Ann", loginUrl }));
    });
  // Each waits for its password to be hashed, one after the other.
  const all = Array.from({ length: 12 }, (_, n) => create(n));
  const creating = Promise.all(all);
  // By the first answer every request has been read.
  await Promise.race(all);
  const begun = performance.now();
  await world.parley.stop();
  const took = performance.now() - begun;
  assert.deepEqual(new Set(await creating), new Set([201]));
  assert.ok(took < 15_000, `it took ${Math.round(took)} ms`);
});
