// Runs: sqlite-first, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { checkCounters } from "../properties/model.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { revokesOneByOne } from "../twins/twins.ts";
import { addPeople } from "../world/many.ts";
import { startProcess, until } from "../world/process.ts";
import { rolledBack } from "../world/rolled-back.ts";
import { count, type Dice, diceOf, rollDice } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld, type World } from "../world/world.ts";
import { startHistory } from "./history.ts";

/** The numbers of revoked and other accounts of an organization. */
const statesOf = async ({ database }: World, { id, admin }: Tenant) => {
  const rows = await database.read
    .selectFrom("users")
    .select("account_deleted")
    .where("organization_id", "=", id)
    .where("id", "!=", admin.id)
    // The data of former people is erased a moment later.
    .where("gone_at", "is", null)
    .execute();
  const revoked = rows.filter(({ account_deleted }) => account_deleted).length;
  return { active: rows.length - revoked, revoked };
};

const MANY = 1000;

const unknownId = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const ids = await addPeople(tenant, Array(20).fill({}));
  const stranger = (await (await world.tenant()).addPerson("stranger@example.org")).id;
  const revoke = (all: readonly string[]) =>
    tenant.ask(
      "revokeUsers",
      all.map((userId) => ({ userId })),
    );
  for (const wrong of ["nobody", stranger, tenant.admin.email]) {
    const { status, body } = await revoke([...ids.slice(0, 12), wrong, ...ids.slice(12)]);
    assert.deepEqual(
      [status, body.code, body.errors[0].field],
      [404, "user_not_found", "[12].userId"],
    );
    assert.deepEqual(await statesOf(world, tenant), { active: 20, revoked: 0 });
  }
  // Again, and some of them twice: the result is the same.
  for (let n = 0; n < 2; n += 1) {
    assert.equal((await revoke([...ids, ...ids])).status, 200);
    assert.deepEqual(await statesOf(world, tenant), { active: 0, revoked: 20 });
  }
  const active = await tenant.addPerson("active@example.org");
  for (const wrong of ["nobody", stranger, active.id]) {
    const { body } = await tenant.ask("deleteUsers", [
      ...ids.slice(0, 12),
      wrong,
      ...ids.slice(12),
    ]);
    assert.equal(body.errors[0].field, "[12]");
    assert.deepEqual(await statesOf(world, tenant), { active: 1, revoked: 20 });
  }
  assert.equal((await tenant.ask("deleteUsers", [...ids, ...ids])).status, 200);
  assert.deepEqual(await statesOf(world, tenant), { active: 1, revoked: 0 });
  await checkCounters(world, tenant.id);
};

test("P-STA-3: one unknown ID among many means that nobody is revoked or deleted", (t) =>
  unknownId(t));

testTwin(
  "P-STA-3: a twin that revokes one after the other, and does half a bulk operation, is detected",
  async (t) => {
    await assert.rejects(unknownId(t, revokesOneByOne), { code: "ERR_ASSERTION" });
  },
);

/**
 * Kills the process that revokes, then deletes, a thousand accounts; after the next start it was all or none.
 */
const killed = async (t: TestContext, dice: Dice, times: number, twin?: Twin): Promise<number> => {
  const world = await startWorld(t);
  if (world.name === "sqlite") await world.parley.stop();
  let halfway = 0;
  for (let time = 0; time < times; time += 1) {
    const tenant = await world.tenant();
    const ids = await addPeople(tenant, Array(MANY).fill({}));
    const isDeletion = time % 2 === 1;
    if (isDeletion) {
      const set = { account_deleted: true };
      await world.database.change(async (tx) => {
        await tx.updateTable("users").set(set).where("id", "in", ids).execute();
        const users_by_role = JSON.stringify([
          ["admin", 1, 0],
          ["moderator", 0, MANY],
        ]);
        const used = { used_users: 1, users_by_role };
        await tx.updateTable("organizations").set(used).where("id", "=", tenant.id).execute();
      });
    }
    const before = await statesOf(world, tenant);
    const { url, end } = await startProcess(t, world.environment, { twin });
    await tenant.askAt(url)("getOrganization");
    const history = startHistory();
    const asked = isDeletion
      ? history.ask(0, tenant.askAt(url), "deleteUsers", ids)
      : history.ask(
          0,
          tenant.askAt(url),
          "revokeUsers",
          ids.map((userId) => ({ userId })),
        );
    // A twin is killed where it goes wrong: when some accounts are revoked.
    // Otherwise the kill comes at a random moment.
    if (!twin) await sleep(dice.roll(world.name === "sqlite" ? 25 : 60));
    else
      await until(
        "some are",
        async () => !isDeepStrictEqual(await statesOf(world, tenant), before),
      );
    await end("SIGKILL");
    const { outcome } = await asked;
    if (outcome === "unknown") halfway += 1;
    await rolledBack(world);
    const after = await statesOf(world, tenant);
    const whole = isDeletion ? { active: 0, revoked: 0 } : { active: 0, revoked: MANY };
    const allowed = outcome === "ok" ? [whole] : [before, whole];
    assert.ok(
      allowed.some((one) => isDeepStrictEqual(one, after)),
      `${outcome}: ${JSON.stringify(after)}`,
    );
    await checkCounters(world, tenant.id);
  }
  return halfway;
};

test("P-STA-3: after a kill in the middle of a thousand, all of them are revoked or deleted, or none", async (t) => {
  const times = count(4, 60, 1);
  const halfway = await killed(t, rollDice(t), times);
  t.diagnostic(`${times} kills, ${halfway} before the answer`);
});

testTwin(
  "P-STA-3: a twin that revokes one after the other, and is killed halfway, is detected",
  async (t) => {
    await assert.rejects(killed(t, diceOf(1), 5, revokesOneByOne), { code: "ERR_ASSERTION" });
  },
);
