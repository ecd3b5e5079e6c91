import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { checkCounters } from "../properties/model.ts";
import { dropsHandedOver } from "../twins/bins.ts";
import { forgetsAtStart, neverMends } from "../twins/former-owners.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { addRooms, roomAt } from "../world/many.ts";
import { startProcess, until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const MANY = count(1_500, 100_000);

const ownerOf = async (ask: Ask, id: string): Promise<string> =>
  (await ask("fetchRoom", { id })).body.roomSetting.roomOwnerId;
const totalOf = async (ask: Ask, wanted: object): Promise<number> =>
  (await ask("listRooms", { limit: 1, ...wanted })).body.pagination.total;

test("heirs replace the owner in every room; the history records it, and it can be taken back", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, addPerson, tokenOf, id } = await world.tenant();
  const [ann, bob, cleo] = [
    await addPerson("ann@example.org"),
    await addPerson("bob@example.org"),
    await addPerson("cleo@example.org"),
  ];
  const rooms: Readonly<Record<string, string>> = {
    own: ann.id,
    shared: [admin.id, ann.id, bob.id].join(","),
    other: admin.id,
  };
  for (const [room, roomOwnerId] of Object.entries(rooms)) {
    await ask("createRoom", { name: room, room, roomOwnerId });
  }
  const isField = async (heirs: unknown, userId = ann.id) => {
    const { status, body } = await ask("handOverRooms", { userId, heirs });
    assert.deepEqual([status, body.errors?.[0]?.field], [400, "heirs"], JSON.stringify(heirs));
  };
  await ask("revokeUsers", [{ userId: cleo.id }]);
  for (const wrong of [[], "x", ["nobody"], [bob.id, cleo.id], [ann.id], Array(11).fill(bob.id)]) {
    await isField(wrong);
  }
  await ask("reactivateUser", { userId: cleo.id });
  const unknown = await ask("handOverRooms", { userId: "nobody", heirs: [bob.id] });
  assert.equal(unknown.body.code, "user_not_found");
  const before = (await ask("fetchRoom", { id: "shared" })).body.roomSetting;

  await ask("revokeUsers", [{ userId: ann.id }]);
  const handed = await ask("handOverRooms", { userId: ann.id, heirs: [cleo.id, bob.id, cleo.id] });
  assert.deepEqual(handed.body, { success: true, handedOver: 2, left: 0 });
  assert.equal(await ownerOf(ask, "own"), `${cleo.id},${bob.id}`);
  assert.equal(await ownerOf(ask, "shared"), `${admin.id},${cleo.id},${bob.id}`);
  assert.equal(await ownerOf(ask, "other"), admin.id);
  const after = (await ask("fetchRoom", { id: "shared" })).body.roomSetting;
  assert.ok(after.updatedAt > before.updatedAt);
  assert.deepEqual(
    { ...after, roomOwnerId: before.roomOwnerId, updatedAt: before.updatedAt },
    before,
  );
  const mine = askAs(world.url, await tokenOf(cleo.id));
  assert.equal(await totalOf(mine, {}), 2);
  assert.equal(await totalOf(ask, { userFilter: ann.id }), 0);
  const again = await ask("handOverRooms", { userId: ann.id, heirs: [bob.id] });
  assert.deepEqual(again.body, { success: true, handedOver: 0, left: 0 });

  const [entry] = (await ask("listHistory", { subjectId: "shared", limit: 1 })).body.entries;
  assert.deepEqual(
    [entry.kind, entry.before, entry.after],
    ["roomEdited", { roomOwnerId: before.roomOwnerId }, { roomOwnerId: after.roomOwnerId }],
  );
  await ask("reactivateUser", { userId: ann.id });
  const undone = await ask("undoChange", { number: entry.number });
  assert.equal(undone.body.undone?.length, 2, undone.text);
  for (const [room, owners] of Object.entries(rooms)) {
    assert.equal(await ownerOf(ask, room), owners);
  }
  await checkCounters(world, id);
});

/**
 * Hands very many rooms over, deletes their owner, and kills the service in the middle: another one hands
 * over the rest.
 */
const handOver = async (t: TestContext, { first, next }: Partial<Record<string, Twin>> = {}) => {
  const house = await openHouse(t);
  const { tenant, owner, heir } = await house.beside(async (world) => {
    const made = await world.tenant();
    const owner = await made.addPerson("owner@example.org");
    const heir = await made.addPerson("heir@example.org");
    await addRooms(made, MANY, ["Owned"], [owner.id]);
    return { tenant: made, owner, heir };
  });
  const one = await startProcess(t, house.environment, { twin: first });
  const ask = tenant.askAt(one.url);
  const asked = await ask("handOverRooms", { userId: owner.id, heirs: [heir.id] });
  assert.deepEqual(asked.body, { success: true, handedOver: 50, left: MANY - 50 });
  const twice = await ask("handOverRooms", { userId: owner.id, heirs: [tenant.admin.id] });
  assert.ok(twice.body.code === "hand_over_running" || twice.body.left === 0, twice.text);
  assert.equal((await ask("revokeUsers", [{ userId: owner.id }])).status, 200);
  assert.equal((await ask("deleteUsers", [owner.id])).status, 200);
  const others = await ask("createRoom", { name: "Beside", roomOwnerId: tenant.admin.id });
  assert.equal(others.status, 201, "others are answered meanwhile");
  const before = await totalOf(ask, { userFilter: heir.id });
  await one.end("SIGKILL");
  t.diagnostic(`${before} of ${MANY} rooms were handed over before the kill`);

  const two = await startProcess(t, house.environment, { twin: next });
  const askAgain = tenant.askAt(two.url);
  await until(
    "no room names the owner",
    () =>
      house.beside(async ({ database }) => {
        const owned = database.read.selectFrom("room_owners").select("room_id").limit(1);
        return (await owned.where("user_id", "=", owner.id).executeTakeFirst()) === undefined;
      }),
    next === forgetsAtStart ? 20_000 : count(180_000, 900_000),
  );
  assert.equal(await totalOf(askAgain, { userFilter: heir.id }), MANY, "every room has its heir");
  assert.equal(await totalOf(askAgain, { withoutOwner: true }), 0);
  assert.equal(await ownerOf(askAgain, roomAt(MANY - 1)), heir.id);
  const [entry] = (await askAgain("listHistory", { kind: "roomEdited", limit: 1 })).body.entries;
  assert.deepEqual(
    [entry.actor.kind, entry.actor.id],
    ["accessKey", tenant.accessKey.accessKey],
    "who asked",
  );
  await until("nothing names the owner", () =>
    house.beside(async ({ database }) => {
      const rows = database.read.selectFrom("users").select("id").where("id", "=", owner.id);
      return (await rows.executeTakeFirst()) === undefined;
    }),
  );
};

test("heirs who are revoked meanwhile get nothing more, and if all are, the history says what stays", async (t) => {
  const house = await openHouse(t);
  const { tenant, people } = await house.beside(async (world) => {
    const made = await world.tenant();
    const add = (name: string) => made.addPerson(`${name}@example.org`);
    const people = { one: await add("one"), two: await add("two"), kept: await add("kept") };
    await addRooms(made, 60, ["Shared"], [people.one.id, people.two.id]);
    return { tenant: made, people: { ...people, lost: await add("lost") } };
  });
  const { one, two, kept, lost } = people;
  // It hands over only what happens before the answer, and does nothing in the background.
  const first = await startProcess(t, house.environment, { twin: neverMends });
  const ask = tenant.askAt(first.url);
  for (const [userId, heirs] of [
    [one.id, [kept.id, lost.id]],
    [two.id, [lost.id]],
  ] as const) {
    const { body } = await ask("handOverRooms", { userId, heirs });
    assert.deepEqual(body, { success: true, handedOver: 50, left: 10 });
  }
  assert.equal((await ask("revokeUsers", [{ userId: lost.id }])).status, 200);
  await first.end("SIGTERM");

  const askAgain = tenant.askAt((await startProcess(t, house.environment)).url);
  const stops = async (): Promise<readonly HistoryEntry[]> =>
    (await askAgain("listHistory", { kind: "handOverStopped" })).body.entries;
  await until("the history tells it", async () => (await stops()).length > 0);
  assert.deepEqual(
    (await stops()).map(({ subject, after, actor }) => [subject.id, after, actor.id]),
    [[two.id, { roomsLeft: 10 }, tenant.accessKey.accessKey]],
  );
  assert.equal(await totalOf(askAgain, { userFilter: one.id }), 0, "the heir who stays has them");
  assert.equal(await totalOf(askAgain, { userFilter: kept.id }), 60);
  assert.equal(await totalOf(askAgain, { userFilter: two.id }), 10);
});

test("very many rooms are handed over after the answer, even if their owner is deleted and the service killed", (t) =>
  handOver(t));

testTwin("a twin that does not resume at its start, and leaves rooms, is detected", async (t) => {
  await assert.rejects(handOver(t, { first: neverMends, next: forgetsAtStart }), /Waited in vain/);
});

testTwin(
  "a twin that drops a deleted owner, and leaves rooms without one, is detected",
  async (t) => {
    await assert.rejects(handOver(t, { first: neverMends, next: dropsHandedOver }), {
      code: "ERR_ASSERTION",
    });
  },
);
