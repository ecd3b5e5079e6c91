import assert from "node:assert/strict";
import { test } from "node:test";
import { countsByRole } from "../../server/records/user-counters.ts";
import type { Ask } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, newPerson, revoke, suspend } from "./people.ts";

const { database, organization } = await startWorld(test);
const request = "POST /api/user/orgUser";
const message = "Agent creation limit reached, please upgarde your plan";
const limit = failure("user_limit", message);

const reactivate = (ask: Ask, userId: string) =>
  ask("POST /api/user/reactivateOrgUser", { userId });

test("at the limit creations are refused with the exact text", async () => {
  const { ask } = await organization("Two", { users: 2 });
  const { email } = await create(ask);
  const second = await create(ask);
  await assertFails(ask(request, newPerson()), 403, limit);
  // The limit is reported before the email: nothing reveals who uses it.
  await assertFails(ask(request, newPerson({ email })), 403, limit);
  await suspend(ask, second.id);
  await assertFails(ask(request, newPerson()), 403, limit);
  assert.equal((await ask("POST /api/user/fetchOrgUsers", {})).body.users.length, 2);
});

test("bad input is reported before the limit", async () => {
  const { ask } = await organization("None", { users: 0 });
  assert.equal((await ask(request, {})).status, 400);
  await assertFails(ask(request, newPerson()), 403, limit);
});

test("revoked people do not count, and reactivation checks the limit again", async () => {
  const { ask } = await organization("One", { users: 1 });
  const first = await create(ask);
  await revoke(ask, first.id);
  const second = await create(ask);
  await assertFails(reactivate(ask, first.id), 403, { type: "accountReactivation", ...limit });
  await revoke(ask, second.id);
  assert.equal((await reactivate(ask, first.id)).status, 200);
  await assertFails(ask(request, newPerson()), 403, limit);
  await ask("POST /api/user/permDeleteOrgUsers", [second.id]);
  await assertFails(ask(request, newPerson()), 403, limit);
});

test("a refused creation uses nothing of the limit", async () => {
  const { ask } = await organization("Three", { users: 3 });
  const { email } = await create(ask);
  for (let tries = 0; tries < 4; tries += 1) {
    assert.equal((await ask(request, newPerson({ email }))).status, 409);
  }
  await create(ask);
  await create(ask);
  await assertFails(ask(request, newPerson()), 403, limit);
});

test("twenty creations at once never exceed the limit and never fall short of it", async () => {
  const { ask } = await organization("Raced", { users: 5 });
  await create(ask);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(request, newPerson())));
  assert.equal(answers.filter(({ status }) => status === 201).length, 4);
  for (const { status, body } of answers) if (status !== 201) assert.deepEqual(body, limit);
  const { limits, used } = (await ask("GET /api/organization")).body.organization;
  assert.deepEqual([limits.users, used.users], [5, 5]);
});

test("after every kind of change the counters equal a count of the table", async () => {
  const { id, ask } = await organization("Counted");
  const counted = async (): Promise<void> => {
    const rows = await database.read
      .selectFrom("users")
      .select(["role", "account_deleted"])
      .where("organization_id", "=", id)
      .execute();
    const row = await database.read
      .selectFrom("organizations")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const count = (role: string, revoked: boolean) =>
      rows.filter((user) => user.role === role && user.account_deleted === revoked).length;
    const roles = [...new Set(rows.map(({ role }) => role))].sort();
    assert.deepEqual(
      countsByRole(row),
      roles.map((role) => ({ role, active: count(role, false), revoked: count(role, true) })),
    );
    assert.equal(row.used_users, rows.filter((user) => !user.account_deleted).length);
    for (const [path, revoked] of [
      ["fetchOrgUsersWithPagination", false],
      ["fetchDeletedOrgUsersWithPagination", true],
    ] as const) {
      for (const role of ["a", "b", "__proto__"]) {
        for (const search of role === "a" ? ["", "person"] : [""]) {
          const { body } = await ask(`POST /api/user/${path}`, { role, search });
          assert.equal(body.pagination.total, count(role, revoked), `${path} ${role} ${search}`);
        }
      }
    }
  };
  const [one, two, three] = [
    await create(ask, { role: "a" }),
    await create(ask, { role: "b" }),
    await create(ask, { role: "__proto__" }),
  ];
  const edit = (userId: string, role: string) => ask("PUT /api/user/orgUser", { userId, role });
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {},
    () => edit(one.id, "b"),
    () => revoke(ask, one.id, two.id, one.id),
    () => revoke(ask, two.id),
    () => edit(two.id, "a"),
    () => suspend(ask, three.id),
    () => revoke(ask, three.id),
    () => reactivate(ask, three.id),
    () => reactivate(ask, one.id),
    () => ask(request, newPerson({ email: one.email, role: "a" })),
    () => ask("POST /api/user/permDeleteOrgUsers", [two.id, two.id]),
    () => edit(three.id, "a"),
  ];
  for (const step of steps) {
    await step();
    await counted();
  }
});
