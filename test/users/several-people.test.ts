// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { carryOut, upload } from "../imports/importing.ts";
import { checkCounters } from "../properties/model.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { readsBefore } from "../twins/twins.ts";
import { type Ask, askAs, insist, outcomeOf } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { saidIn } from "../world/reasons.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

const statesOf = async (ask: Ask, userIds: readonly string[]) => {
  const { users } = (await ask("findUsers", { userIds })).body;
  const byId = new Map(users.map((user: { readonly id: string }) => [user.id, user]));
  return userIds.map((id) => {
    const { role, accountSuspended, accountDeleted } = byId.get(id) as Record<string, unknown>;
    return `${role}${accountSuspended ? " suspended" : ""}${accountDeleted ? " revoked" : ""}`;
  });
};

const newest = async (ask: Ask) => (await ask("listHistory", { limit: 1 })).body.entries[0];

test("people are suspended and restored together, and that is taken back together", async () => {
  const tenant = await world.tenant();
  const { ask, id } = tenant;
  const userIds = await addPeople(tenant, Array(5).fill({}));
  const [first = "", second = ""] = userIds;
  const token = await tenant.tokenOf(second);
  await ask("suspendRestoreUser", { userId: first, action: "suspend" });
  const { number } = await newest(ask);
  const suspended = await ask("suspendRestoreUsers", { userIds, action: "suspend" });
  assert.deepEqual([suspended.status, suspended.body], [200, { success: true }]);
  assert.deepEqual(await statesOf(ask, userIds), Array(5).fill("moderator suspended"));
  assert.equal((await askAs(world.url, token)("whoAmI", {})).status, 401);
  // A person who was suspended before has no entry.
  const last = await newest(ask);
  assert.deepEqual([last.kind, last.number], ["userSuspended", number + 4]);
  assert.equal((await ask("undoChange", { number: last.number })).body.undone.length, 4);
  const back = ["moderator suspended", ...Array(4).fill("moderator")];
  assert.deepEqual(await statesOf(ask, userIds), back);
  await ask("suspendRestoreUsers", { userIds, action: "restore" });
  assert.deepEqual(await statesOf(ask, userIds), Array(5).fill("moderator"));
  await ask("undoChange", { number: (await newest(ask)).number });
  assert.deepEqual(await statesOf(ask, userIds), back);
  await checkCounters(world, id);
});

test("an import that both edits and suspends or revokes people is taken back whole", async () => {
  const { ask, addPerson, id } = await world.tenant();
  const people = [];
  for (const name of ["x", "y", "z"]) people.push(await addPerson(`${name}@${id}.example.org`));
  const userIds = people.map((person) => person.id);
  const before = await statesOf(ask, userIds);
  const states = [
    { accountSuspended: true },
    { accountDeleted: true },
    { accountSuspended: true, accountDeleted: true },
  ];
  const text = people.map(({ email }, n) => ({
    email,
    role: "panelist",
    location: "North",
    ...states[n],
  }));
  const uploaded = await upload(ask, { kind: "users", text });
  await carryOut(ask, uploaded.id, { mode: "all" });
  const imported = ["panelist suspended", "panelist revoked", "panelist suspended revoked"];
  assert.deepEqual(await statesOf(ask, userIds), imported);
  const numbersOf = async (of: "number" | "undoes"): Promise<readonly number[]> => {
    const { entries } = (await ask("listHistory", { limit: 7 })).body;
    assert.equal(new Set(entries.map((entry: HistoryEntry) => entry.changeId)).size, 1);
    return entries.map((entry: HistoryEntry) => entry[of]).sort((a: number, b: number) => a - b);
  };
  const numbers = await numbersOf("number");
  const undone = await ask("undoChange", { number: numbers[0] });
  assert.deepEqual(undone.body, { success: true, undone: numbers, left: 0 });
  assert.deepEqual(await statesOf(ask, userIds), before);
  assert.deepEqual(await numbersOf("undoes"), numbers);
  await checkCounters(world, id);
  // And forward again.
  const { number } = await newest(ask);
  assert.equal((await ask("undoChange", { number })).body.undone.length, 7);
  assert.deepEqual(await statesOf(ask, userIds), imported);
  await checkCounters(world, id);
  const again = await newest(ask);
  const [, second = ""] = userIds;
  const name = JSON.stringify(people[1]?.name);
  await ask("editUser", { userId: second, location: "South" });
  const changed = await ask("undoChange", { number: again.number });
  assert.deepEqual(saidIn(changed.body.errors), [
    { field: `${second}.location`, message: `location of ${name} is "South" now.` },
  ]);
});

test("a change of several people is all or nothing, and names what prevents it by index", async () => {
  const tenant = await world.tenant();
  const other = await world.tenant();
  const { ask } = tenant;
  const userIds = await addPeople(tenant, Array(3).fill({}));
  const { id: revoked } = await tenant.addPerson(`revoked@${tenant.id}.example.org`);
  await ask("revokeUsers", [{ userId: revoked }]);
  const byAdmin = askAs(world.url, await tenant.tokenOf(tenant.admin.id));
  const suspend = (...more: string[]) =>
    byAdmin("suspendRestoreUsers", { userIds: [...userIds, ...more], action: "suspend" });
  const { number } = await newest(ask);
  const cases = [
    [await suspend("nobody", revoked), "user_not_found", ["userIds[3]", "userIds[4]"]],
    [await suspend(other.admin.id), "user_not_found", ["userIds[3]"]],
    [await suspend(revoked), "user_is_revoked", ["userIds[3]"]],
    [await suspend(tenant.admin.id), "own_account", ["userIds[3]"]],
    [
      await byAdmin("reactivateUsers", { userIds: [revoked, ...userIds] }),
      "user_not_revoked",
      ["userIds[1]", "userIds[2]", "userIds[3]"],
    ],
    [
      await byAdmin("changeRoles", { userIds: [...userIds, other.admin.id], role: "host" }),
      "user_not_found",
      ["userIds[3]"],
    ],
  ] as const;
  for (const [{ body }, code, fields] of cases) {
    assert.equal(body.code, code);
    assert.deepEqual(
      body.errors.map(({ field }: { readonly field: string }) => field),
      fields,
    );
  }
  const states = [...Array(3).fill("moderator"), "moderator revoked"];
  assert.deepEqual(await statesOf(ask, [...userIds, revoked]), states);
  assert.equal((await newest(ask)).number, number);
  const empty = await ask("changeRoles", { userIds: [], role: "host" });
  assert.deepEqual([empty.status, empty.body.message], [400, "User IDs array cannot be empty."]);
  const comma = await ask("changeRoles", { userIds, role: "a,b" });
  assert.equal(comma.body.errors[0].field, "role");
});

test("people get another role together, revoked ones too, and the lists follow", async () => {
  const tenant = await world.tenant();
  const { ask, id } = tenant;
  const userIds = await addPeople(tenant, [{}, { role: "panelist" }, {}, {}]);
  await ask("revokeUsers", [{ userId: userIds[2] }]);
  const before = await statesOf(ask, userIds);
  const { status } = await ask("changeRoles", { userIds, role: "panelist" });
  assert.equal(status, 200);
  const after = ["panelist", "panelist", "panelist revoked", "panelist"];
  assert.deepEqual(await statesOf(ask, userIds), after);
  const listed = await ask("listUsers", { role: "panelist" });
  assert.equal(listed.body.pagination.total, 3);
  await checkCounters(world, id);
  const { number, kind, before: was } = await newest(ask);
  assert.deepEqual([kind, was], ["userEdited", { role: "moderator" }]);
  assert.equal((await ask("undoChange", { number })).body.undone.length, 3);
  assert.deepEqual(await statesOf(ask, userIds), before);
  await checkCounters(world, id);
});

test("the largest number of people change their state and role together, and that is taken back", async () => {
  const tenant = await world.tenant();
  const { ask, id } = tenant;
  const userIds = await addPeople(tenant, Array(count(100, 1000)).fill({}));
  for (const [operation, input] of [
    ["changeRoles", { role: "crowd" }],
    ["suspendRestoreUsers", { action: "suspend" }],
  ] as const) {
    assert.equal((await ask(operation, { userIds, ...input })).status, 200);
    const { number } = await newest(ask);
    assert.equal((await ask("undoChange", { number })).body.undone.length, userIds.length);
    const states = new Set(await statesOf(ask, userIds));
    assert.deepEqual([...states], ["moderator"]);
  }
  await checkCounters(world, id);
});

/** Two requests reactivate three people each; only four fit. */
const raceForSeats = async (t: TestContext, rounds: number, twin?: Twin): Promise<void> => {
  const raced = twin ? await startWorld(t, { twin }) : world;
  const second = await raced.second();
  for (let round = 0; round < rounds; round += 1) {
    const tenant = await raced.tenant({ users: 7 });
    const userIds = await addPeople(tenant, Array(6).fill({}));
    await tenant.ask(
      "revokeUsers",
      userIds.map((userId) => ({ userId })),
    );
    for (const name of ["one", "other"]) {
      await tenant.addPerson(`${name}@${tenant.id}.example.org`);
    }
    const asks = [tenant.ask, tenant.askAt(second)].map(insist);
    const answers = await Promise.all(
      asks.map((ask, n) => ask("reactivateUsers", { userIds: userIds.slice(n * 3, n * 3 + 3) })),
    );
    assert.deepEqual(answers.map(outcomeOf).sort(), ["ok", "user_limit"]);
    // Two and the administrator, and three of the six.
    assert.equal((await checkCounters(raced, tenant.id)).users, 6);
  }
};

test("people come back together within the limit, even with two simultaneous requests", (t) =>
  raceForSeats(t, count(3, 30)));

testTwin("a twin that reads before it locks, and exceeds the limit, is detected", async (t) => {
  await assert.rejects(raceForSeats(t, 30, readsBefore), { code: "ERR_ASSERTION" });
});
