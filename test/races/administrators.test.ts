// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { looksOnce, takesEveryAdministrator } from "../twins/callers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs, outcomeOf } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

/** The ways in which one administrator takes away another's rights. */
const ways = [
  ["editUser", (userId: string) => ({ userId, admin: false })],
  ["suspendRestoreUser", (userId: string) => ({ userId, action: "suspend" })],
  ["revokeUsers", (userId: string) => [{ userId }]],
  ["suspendRestoreUsers", (userId: string) => ({ userIds: [userId], action: "suspend" })],
] as const;

/** Two administrators take away each other's rights at the same time, over two processes. */
const rounds = async (
  t: TestContext,
  many: number,
  { twin, refusals = ["unauthorized", "not_allowed"] }: { twin?: Twin; refusals?: string[] } = {},
) => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  const outcomes = new Set<string>();
  for (let n = 0; n < many; n += 1) {
    const tenant = await world.tenant();
    const other = await tenant.addPerson(`other${n}@example.org`, { admin: true });
    const pair = [tenant.admin.id, other.id];
    const asks = await Promise.all(
      pair.map(async (id, at) => askAs(urls[at] ?? "", await tenant.tokenOf(id))),
    );
    const [operation, input] = ways[n % ways.length] ?? assert.fail();
    const answers = await Promise.all(
      asks.map((ask, at) => ask(operation, input(pair[1 - at] ?? ""))),
    );
    const said = answers.map(outcomeOf);
    assert.equal(said.filter((one) => one === "ok").length, 1, `${operation}: ${said}`);
    for (const one of said) if (one !== "ok") assert.ok(refusals.includes(one), one);
    for (const one of said) outcomes.add(one);
    const { body } = await tenant.ask("findUsers", { userIds: pair });
    type Shown = Readonly<Record<"admin" | "accountSuspended" | "accountDeleted", boolean>>;
    const left = (body.users as Shown[]).filter(
      ({ admin, accountSuspended, accountDeleted }) =>
        admin && !accountSuspended && !accountDeleted,
    );
    assert.equal(left.length, 1, operation);
  }
  t.diagnostic(`${many} rounds: ${[...outcomes].join(", ")}`);
};

test("P-STA-7: of two administrators who demote, suspend or revoke each other at once exactly one succeeds", (t) =>
  rounds(t, count(9, 50, 3)));

testTwin("P-STA-7: the last administrator stays even in a twin that checks its caller once", (t) =>
  rounds(t, count(9, 50), {
    twin: looksOnce,
    refusals: ["unauthorized", "not_allowed", "last_administrator"],
  }),
);

testTwin(
  "P-STA-7: a twin that does not check again, and leaves no administrator, is detected",
  async (t) => {
    await assert.rejects(rounds(t, 50, { twin: takesEveryAdministrator }), {
      code: "ERR_ASSERTION",
    });
  },
);

test("P-STA-7: an access key may take the last administrator's rights away", async (t) => {
  const world = await startWorld(t);
  for (const [operation, input] of ways) {
    const tenant = await world.tenant();
    assert.equal((await tenant.ask(operation, input(tenant.admin.id))).status, 200);
  }
});
