// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { leavesEntries } from "../twins/former-owners.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { addEntries, checkForgotten, isGone, revoke } from "./former.ts";

/** Deletes people who have very many entries, alone or together, and nothing else that needs cleaning up. */
const entriesAlone = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  for (const entries of [[2_000], [1_000, 1_000]]) {
    const gone: string[] = [];
    for (const [at, many] of entries.entries()) {
      const { id } = await tenant.addPerson(`${at}-of-${entries.length}@example.org`);
      await addEntries(tenant, id, many);
      await revoke(tenant, id);
      gone.push(id);
    }
    assert.equal((await tenant.ask("deleteUsers", gone)).status, 200);
    for (const id of gone) {
      await until("everything behind the deletion is done", () => isGone(world, id));
      await checkForgotten(world, id);
    }
  }
  const organization = openOrganization(world.database, tenant.id, operator);
  assert.equal((await verifyHistory(organization)).broken, null);
};

test("P-OPS-15: people with very many entries and no rooms leave no name in the history", (t) =>
  entriesAlone(t));

testTwin("P-OPS-15: a twin that assumes very many entries to be erased is detected", async (t) => {
  await assert.rejects(entriesAlone(t, leavesEntries), /the history names nobody/);
});
