// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { undoWhole } from "../history/undoing.ts";
import { checkCounters } from "../properties/model.ts";
import { decidesOwners } from "../twins/owners.ts";
import { countsFromTheStart } from "../twins/room-bulk.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";

const world = await startWorld(test);

const idsOf = (total: number): string[] => Array.from({ length: total }, (_, n) => `r${n}`);

/** An organization with so many rooms, "r0" and on, that belong to its administrator. */
const withRooms = async (place: World, total: number) => {
  const tenant = await place.tenant();
  const rooms = idsOf(total);
  for (const room of rooms) {
    await tenant.ask("createRoom", { name: room, room, roomOwnerId: tenant.admin.id });
  }
  return { ...tenant, rooms };
};

const entriesOf = async (ask: Ask, wanted: object): Promise<readonly HistoryEntry[]> =>
  (await ask("listHistory", { limit: 100, ...wanted })).body.entries;

const roomOf = async (ask: Ask, id: string) => (await ask("fetchRoom", { id })).body.roomSetting;

test("one setting for many rooms leaves everything else in each room as it is", async () => {
  const { ask, admin, addPerson, id } = await withRooms(world, 1);
  const ann = await addPerson(`ann@${id}.example.org`);
  const other = { name: "Other", room: "o", roomOwnerId: ann.id, noOfParticipants: 5 };
  const before = (await ask("createRoom", other)).body.roomSetting;
  const { status, body } = await ask("editRooms", { rooms: ["r0", "o"], enableRecording: true });
  assert.deepEqual([status, body.edited, body.refused], [200, ["r0", "o"], []]);
  const { updatedAt, ...after } = await roomOf(ask, "o");
  assert.deepEqual({ ...after, updatedAt: before.updatedAt }, { ...before, enableRecording: true });
  assert.ok(updatedAt > before.updatedAt);
  assert.equal((await roomOf(ask, "r0")).roomOwnerId, admin.id);
});

test("a refused room stays as it is and is named with its reason, and the others change", async () => {
  const { ask } = await withRooms(world, 2);
  const { body } = await ask("editRooms", { rooms: ["r0", "x", "r1"], enableChatOption: false });
  assert.deepEqual(body.edited, ["r0", "r1"]);
  const refused = { room: "x", code: "room_not_found", message: body.refused[0].message };
  assert.deepEqual(body.refused, [refused]);
  const none = await ask("editRooms", { rooms: ["x"], enableChatOption: false });
  assert.deepEqual([none.status, none.body.edited, none.body.entry], [200, [], null]);
  const unknown = await ask("editRooms", { rooms: ["r0"], roomOwnerId: "nobody" });
  assert.deepEqual([unknown.body.edited, unknown.body.refused[0].code], [[], "invalid_input"]);
});

test("too many rooms, none, and an edit of nothing are refused", async () => {
  const { ask } = await withRooms(world, 1);
  for (const input of [
    { rooms: [], enableChatOption: true },
    { rooms: idsOf(101), enableChatOption: true },
    { rooms: ["r0"] },
  ]) {
    assert.equal((await ask("editRooms", input)).status, 400);
  }
  assert.equal((await ask("deleteRooms", { rooms: idsOf(101) })).status, 400);
});

test("the history has one entry for many edited rooms, which takes all of them back", async () => {
  const { ask, admin, addPerson, id, rooms } = await withRooms(world, 60);
  const ann = await addPerson(`ann@${id}.example.org`);
  const edit = { rooms, roomOwnerId: ann.id, roomPassword: "open sesame" };
  const { entry } = (await ask("editRooms", edit)).body;
  const [whole] = await entriesOf(ask, { kind: "roomsEdited" });
  const after = { rooms: 60, roomOwnerId: ann.id, roomPassword: "(set)" };
  assert.deepEqual([whole?.number, whole?.after], [entry, after]);
  const parts = await entriesOf(ask, { kind: "roomEdited" });
  assert.deepEqual(new Set(parts.map(({ partOf }) => partOf)), new Set([entry]));
  assert.equal((await roomOf(ask, "r59")).roomOwnerId, ann.id);
  const again = await ask("editRooms", { rooms: ["r0", "r1"], enableChatOption: false });
  const small = await ask("undoChange", { number: again.body.entry });
  assert.deepEqual([small.status, small.body.left], [200, 0]);
  assert.equal((await roomOf(ask, "r1")).enableChatOption, true);
  const owners = (await ask("editRooms", { rooms, roomOwnerId: admin.id })).body.entry;
  const { undo } = (await undoWhole(ask, owners)).body;
  assert.deepEqual([undo.state, undo.done, undo.stayed], ["done", 60, 0]);
  assert.equal((await roomOf(ask, "r30")).roomOwnerId, ann.id);
});

test("many rooms go into the bin together, and come back from it with one undo", async () => {
  const { ask, rooms, id } = await withRooms(world, 4);
  await ask("editOrganization", { binDays: 30 });
  const { body } = await ask("deleteRooms", { rooms: [...rooms, "x"] });
  assert.deepEqual([body.deleted, body.inUse], [rooms, []]);
  assert.deepEqual(body.refused[0].room, "x");
  assert.equal((await checkCounters(world, id)).rooms, 0);
  const [whole] = await entriesOf(ask, { kind: "roomsDeleted" });
  assert.deepEqual([whole?.number, whole?.after], [body.entry, { rooms: 4 }]);
  assert.equal((await ask("undoChange", { number: body.entry })).status, 200);
  assert.equal((await checkCounters(world, id)).rooms, 4);
  assert.equal((await roomOf(ask, "r3")).name, "r3");
});

test("without a bin many rooms are deleted for good, which no undo takes back", async () => {
  const { ask, rooms, id } = await withRooms(world, 3);
  await ask("editOrganization", { binDays: null });
  const { body } = await ask("deleteRooms", { rooms });
  assert.deepEqual(body.deleted, rooms);
  assert.equal((await checkCounters(world, id)).rooms, 0);
  const undone = await ask("undoChange", { number: body.entry });
  assert.equal(undone.body.code, "undo_impossible");
});

/** Two processes delete overlapping rooms at the same time. */
const raceToDelete = async (t: TestContext, twin?: Twin): Promise<void> => {
  const raced = twin ? await startWorld(t, { twin }) : world;
  const { ask, askAt, rooms, id } = await withRooms(raced, 12);
  await ask("editOrganization", { binDays: 30 });
  const other = askAt(await raced.second());
  const answers = await Promise.all([
    ask("deleteRooms", { rooms: rooms.slice(0, 8) }),
    other("deleteRooms", { rooms: rooms.slice(4) }),
    ask("deleteRooms", { rooms: rooms.slice(2, 10) }),
  ]);
  const deleted = answers.flatMap(({ body }) => body.deleted);
  assert.deepEqual(deleted.toSorted(), rooms.toSorted(), "each room once");
  assert.equal((await checkCounters(raced, id)).rooms, 0);
};

test("P-LIM-1: many rooms deleted by several simultaneous requests are deleted and counted once each", (t) =>
  raceToDelete(t));

testTwin("a twin that counts many deleted rooms as one is detected", async (t) => {
  await assert.rejects(raceToDelete(t, countsFromTheStart), { code: "ERR_ASSERTION" });
});

/** An owner edits many rooms while an administrator takes them away. */
const raceForOwners = async (t: TestContext, twin?: Twin): Promise<void> => {
  const raced = twin ? await startWorld(t, { twin }) : world;
  const { ask, askAt, admin, addPerson, tokenOf, id, rooms } = await withRooms(raced, 5);
  const owner = await addPerson(`owner@${id}.example.org`);
  await ask("editOrganization", { ownersMay: "edit" });
  const mine = askAs(raced.url, await tokenOf(owner.id));
  const other = askAt(await raced.second());
  for (let round = 0; round < count(6, 40, 2); round += 1) {
    await ask("editRooms", { rooms, roomOwnerId: owner.id, enableChatOption: true });
    const [taken, edited] = await Promise.all([
      other("editRooms", { rooms, roomOwnerId: admin.id }),
      mine("editRooms", { rooms, enableChatOption: false }),
    ]);
    assert.deepEqual(taken.body.edited, rooms);
    const { entry } = edited.body;
    if (entry !== null) assert.ok(entry < taken.body.entry, "edited before they were taken away");
    const late = await mine("editRooms", { rooms, enableChatOption: false });
    assert.deepEqual([late.body.edited, late.body.refused.length], [[], rooms.length]);
  }
};

test("an owner edits many rooms only while owning them, checked room by room under the lock", (t) =>
  raceForOwners(t));

testTwin("a twin that edits many rooms without looking at their owners is detected", async (t) => {
  await assert.rejects(raceForOwners(t, decidesOwners), { code: "ERR_ASSERTION" });
});

test("owners without admin neither hand over nor delete rooms", async () => {
  const { ask, addPerson, tokenOf, id } = await withRooms(world, 1);
  const owner = await addPerson(`owner@${id}.example.org`);
  await ask("editRooms", { rooms: ["r0"], roomOwnerId: owner.id });
  const mine = askAs(world.url, await tokenOf(owner.id));
  assert.equal((await mine("editRooms", { rooms: ["r0"], enableChatOption: false })).status, 403);
  await ask("editOrganization", { ownersMay: "create" });
  const { body } = await mine("editRooms", { rooms: ["r0"], roomOwnerId: `${owner.id},x` });
  assert.equal(body.refused[0].code, "not_allowed");
  assert.equal((await mine("deleteRooms", { rooms: ["r0"] })).status, 403);
});

test("of 100 rooms an owner edits exactly their own, and the others answer like rooms that do not exist", async () => {
  const { ask, addPerson, tokenOf, id, rooms } = await withRooms(world, 97);
  const owner = await addPerson(`owner@${id}.example.org`);
  const strangers = await world.tenant();
  const theirs = { name: "Theirs", room: "theirs", roomOwnerId: strangers.admin.id };
  await strangers.ask("createRoom", theirs);
  await ask("editOrganization", { ownersMay: "edit" });
  const mixed = [...rooms.slice(0, 50), "theirs", "nothing", ...rooms.slice(50)];
  await ask("editRooms", { rooms: rooms.slice(1), roomOwnerId: owner.id });
  const mine = askAs(world.url, await tokenOf(owner.id));
  const before = (await strangers.ask("fetchRoom", { id: "theirs" })).text;
  const others = ["r0", "theirs", "nothing"];
  // The second one names owners who are not the rooms' own, which says nothing about the rooms of others.
  for (const [more, own] of [
    [{ enableChatOption: false }, []],
    [{ enableRecording: true, roomOwnerId: strangers.admin.id }, rooms.slice(1)],
  ] as const) {
    const { status, body } = await mine("editRooms", { rooms: mixed, ...more });
    assert.equal(status, 200);
    const refused: readonly { readonly room: string }[] = body.refused;
    assert.deepEqual(
      new Set([...body.edited, ...refused.map(({ room }) => room)]),
      new Set(mixed),
      "each room is edited or refused",
    );
    assert.equal(body.edited.length + refused.length, mixed.length);
    const [one, ...same] = others.map((room) => {
      const found = refused.find((each) => each.room === room);
      return JSON.stringify({ ...found, room: "" });
    });
    assert.deepEqual(new Set(same), new Set([one]));
    assert.match(one ?? "", /room_not_found/);
    const away = refused.map(({ room }) => room).filter((room) => !others.includes(room));
    assert.deepEqual(away, own);
  }
  assert.equal((await strangers.ask("fetchRoom", { id: "theirs" })).text, before);
  assert.equal((await roomOf(ask, "r0")).enableChatOption, true);
  const [last, first] = [await roomOf(ask, "r96"), await roomOf(ask, "r1")];
  for (const { enableChatOption, enableRecording, roomOwnerId } of [first, last]) {
    assert.deepEqual([enableChatOption, enableRecording, roomOwnerId], [false, false, owner.id]);
  }
  // An administrator of one organization deletes nothing of another one either.
  const { body } = await ask("deleteRooms", { rooms: ["theirs", "nothing", "r0"] });
  assert.deepEqual(body.deleted, ["r0"]);
  const [foreign, unknown] = body.refused;
  assert.deepEqual({ ...foreign, room: "" }, { ...unknown, room: "" });
  assert.equal((await strangers.ask("fetchRoom", { id: "theirs" })).text, before);
});
