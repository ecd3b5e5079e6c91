// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { enterInvited } from "../meetings/invited.ts";
import type { Ask } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { type Home, newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);

/** The names in a list; checks that its total agrees. */
const found = async (ask: Ask, query: Record<string, string>): Promise<string[]> => {
  const { status, body, text } = await ask(`GET ${ROOMS}/paginated?${new URLSearchParams(query)}`);
  assert.equal(status, 200, text);
  assert.equal(body.pagination.total, body.roomSettings.length);
  return body.roomSettings.map(({ name }: RoomAnswer) => name);
};

const makeAll = async ({ room }: Home, names: readonly string[]) => {
  for (const name of names) await room({ name });
};

test("naturalName sorts numbers in names by value, in both directions and across pages", async () => {
  const home = await newHome(world);
  const names = [
    "All hands 2",
    "all hands 010",
    "All hands 11",
    "All hands 100",
    "B 1.2",
    "B 1.10",
    "C 20260101000000001",
    "C 3000000000000000000",
  ];
  await makeAll(home, names.toReversed());
  const ordered = (more: object = {}) => found(home.ask, { sortBy: "naturalName", ...more });
  assert.deepEqual(await ordered(), names);
  assert.deepEqual(await ordered({ sortOrder: "DESC" }), names.toReversed());
  assert.deepEqual(
    await found(home.ask, { sortBy: "name", search: "hands" }),
    ["all hands 010", "All hands 100", "All hands 11", "All hands 2"],
    "by name as always",
  );
  const walked: string[] = [];
  for (let page = 1; page <= 3; page += 1) {
    const { body } = await home.ask(
      `GET ${ROOMS}/paginated?sortBy=naturalName&limit=3&page=${page}`,
    );
    walked.push(...body.roomSettings.map(({ name }: RoomAnswer) => name));
  }
  assert.deepEqual(walked, names);
});

test("a renamed room moves to its place in the natural order", async () => {
  const home = await newHome(world);
  await makeAll(home, ["Room 2", "Room 10"]);
  const { room } = await home.room({ name: "Room 30" });
  await home.ask(`PUT ${ROOMS}`, { room, roomOwnerId: home.owner, name: "Room 1" });
  const ordered = await found(home.ask, { sortBy: "naturalName" });
  assert.deepEqual(ordered, ["Room 1", "Room 2", "Room 10"]);
});

test("find searches names, room IDs, and names and emails of owners", async () => {
  const home = await newHome(world);
  const zoe = await home.person({ name: "Zoë Brontë" });
  await home.room({ name: "Board", room: "Alpha-7" });
  await home.room({ name: "Alpha", room: "b" });
  await home.room({ name: "Cellar", room: "c", roomOwnerId: `${home.owner},${zoe.id}` });
  const sorted = async (find: string) => (await found(home.ask, { find })).toSorted();
  assert.deepEqual(await sorted("ALPHA"), ["Alpha", "Board"]);
  assert.deepEqual(await sorted("pha-7"), ["Board"]);
  assert.deepEqual(await sorted("bronte"), ["Cellar"]);
  assert.deepEqual(await sorted("example.org"), ["Alpha", "Board", "Cellar"], "an email");
  assert.deepEqual(await sorted("%"), []);
  assert.deepEqual(await sorted(" "), ["Alpha", "Board", "Cellar"], "a space alone finds spaces");
  assert.deepEqual(await found(home.ask, { find: "alpha", search: "boa" }), ["Board"]);
  assert.deepEqual(await found(home.ask, { search: "alpha-7" }), [], "search: names alone");
  assert.deepEqual(await found(home.ask, { find: "alpha", userFilter: zoe.id }), []);
});

test("without admin, find reveals neither other people's rooms nor their names", async () => {
  const home = await newHome(world);
  const me = await home.person({ name: "Mia Lone" });
  const other = await home.person({ name: "Secret Name" });
  await home.room({ name: "Ours", room: "our-1", roomOwnerId: `${me.id},${other.id}` });
  await home.room({ name: "Theirs", room: "their-1", roomOwnerId: other.id });
  assert.deepEqual(await found(me.ask, { find: "our-" }), ["Ours"]);
  assert.deepEqual(await found(me.ask, { find: "their" }), []);
  assert.deepEqual(await found(me.ask, { find: "secret" }), []);
  assert.deepEqual((await found(home.ask, { find: "secret" })).toSorted(), ["Ours", "Theirs"]);
});

test("names of another organization's people find no rooms", async () => {
  const [home, strange] = [await newHome(world), await newHome(world)];
  await home.room({ name: "Board" });
  await strange.person({ name: "Board Member" });
  assert.deepEqual(await found(strange.ask, { find: "board" }), []);
});

test("lists are filtered by type and status, and sorted by status with rooms in use first", async () => {
  const home = await newHome(world);
  await home.room({ name: "Room 10", room: "r10" });
  await home.room({ name: "Room 9", room: "r9", roomType: "event" });
  await home.room({ name: "Room 8", room: "r8" });
  await home.room({ name: "Room 7", room: "r7", roomType: "p2p" });
  await enterInvited(test, world.url, home, "r10", "Ann");
  assert.deepEqual(await found(home.ask, { roomType: "event" }), ["Room 9"]);
  assert.deepEqual(await found(home.ask, { roomStatus: "busy" }), ["Room 10"]);
  assert.deepEqual(await found(home.ask, { roomStatus: "occupied" }), []);
  assert.deepEqual(await found(home.ask, { roomStatus: "free", roomType: "p2p" }), ["Room 7"]);
  const use = ["Room 10", "Room 7", "Room 8", "Room 9"];
  assert.deepEqual(await found(home.ask, { sortBy: "status" }), use);
  assert.deepEqual(
    await found(home.ask, { sortBy: "status", sortOrder: "DESC" }),
    use.toReversed(),
  );
  await home.ask(`PUT ${ROOMS}`, { room: "r7", roomOwnerId: home.owner, roomType: "event" });
  const events = await found(home.ask, { roomType: "event", sortBy: "naturalName" });
  assert.deepEqual(events, ["Room 7", "Room 9"]);
  for (const query of ["roomType=Event", "roomStatus=full"]) {
    assert.equal((await home.ask(`GET ${ROOMS}/paginated?${query}`)).status, 400, query);
  }
});
