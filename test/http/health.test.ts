// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };
import { bearer, send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

test("only an administrator's token gets the version at /healthz, and no token is refused there", async () => {
  const tenant = await world.tenant();
  const health = async (headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await send(world.url, { method: "GET", path: "/healthz" }, headers);
    assert.equal(status, 200);
    return body;
  };
  const person = await tenant.addPerson("ann@example.org");
  const alive = { status: "ok" };
  assert.deepEqual(await health(), alive);
  assert.deepEqual(await health(bearer("no-token-of-anybody")), alive);
  assert.deepEqual(await health(bearer(await tenant.tokenOf(person.id))), alive);
  const whole = { ...alive, version: packageJson.version };
  assert.deepEqual(await health(bearer(tenant.token)), whole);
  assert.deepEqual(await health(bearer(await tenant.tokenOf(tenant.admin.id))), whole);
});
