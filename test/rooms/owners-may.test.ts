// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { OwnersMay } from "../../contract/kit/organization-settings.ts";
import { decidesOwners } from "../twins/owners.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs, insist, outcomeOf } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";

const world = await startWorld(test);

/**
 * An organization with a person without `admin` who owns the room "own", and a room that belongs to somebody
 * else.
 */
const ownerIn = async (place: World, may: OwnersMay, limits: object = {}) => {
  const tenant = await place.tenant(limits);
  const { id } = await tenant.addPerson(`owner@${tenant.id}.example.org`);
  await tenant.ask("createRoom", { name: "Own", room: "own", roomOwnerId: id });
  await tenant.ask("createRoom", { name: "Other", room: "other", roomOwnerId: tenant.admin.id });
  await tenant.ask("editOrganization", { ownersMay: may });
  return { tenant, id, ask: askAs(place.url, await tenant.tokenOf(id)) };
};

test("by default owners without admin change nothing, and get the same refusal whatever they send", async () => {
  const { tenant, id, ask } = await ownerIn(world, "nothing");
  const { settings } = (await tenant.ask("getOrganization", {})).body.organization;
  assert.equal(settings.ownersMay, "nothing");
  const asked = [
    await ask("editRoom", { room: "own", roomOwnerId: id, name: "New" }),
    await ask("editRoom", { room: 7 }),
    await ask("createRoom", { name: "New", roomOwnerId: id }),
  ];
  for (const { status, body } of asked) {
    const { code, message, errors } = body;
    const said = ["not_allowed", "Only an administrator may do this.", undefined];
    assert.deepEqual([status, code, message, errors], [403, ...said]);
  }
  assert.equal((await ask("whoAmI", {})).body.ownersMay, "nothing");
});

test("owners who may edit change their own rooms, see no others, and cannot change owners", async () => {
  const { tenant, id, ask } = await ownerIn(world, "edit");
  assert.equal((await ask("whoAmI", {})).body.ownersMay, "edit");
  const edited = await ask("editRoom", { room: "own", roomOwnerId: id, name: "New" });
  assert.deepEqual([edited.status, edited.body.roomSetting.name], [200, "New"]);
  const { entries } = (await tenant.ask("listHistory", { subjectId: "own", limit: 1 })).body;
  assert.deepEqual([entries[0].kind, entries[0].actor.id], ["roomEdited", id]);
  const unknown = await ask("editRoom", { room: "none", roomOwnerId: id, name: "Mine" });
  const foreign = await ask("editRoom", { room: "other", roomOwnerId: id, name: "Mine" });
  assert.deepEqual([foreign.status, foreign.body], [unknown.status, unknown.body]);
  assert.equal(foreign.body.code, "room_not_found");
  // Errors in an edit of somebody else's room reveal nothing about the room.
  const wrong = { roomOwnerId: "", roomType: "meeting", noOfViewers: -1 };
  const [one, other] = [
    await ask("editRoom", { room: "none", ...wrong }),
    await ask("editRoom", { room: "other", ...wrong }),
  ];
  assert.deepEqual([other.status, other.body], [one.status, one.body]);
  for (const roomOwnerId of [tenant.admin.id, `${id},${tenant.admin.id}`]) {
    const { status, body } = await ask("editRoom", { room: "own", roomOwnerId });
    assert.deepEqual(
      [status, body.code, body.errors[0].field],
      [403, "not_allowed", "roomOwnerId"],
    );
  }
  for (const refused of [
    await ask("createRoom", { name: "New", roomOwnerId: id }),
    await ask("deleteRoom", { id: "own" }),
    await ask("undoChange", { number: entries[0].number }),
  ]) {
    assert.deepEqual([refused.status, refused.body.code], [403, "not_allowed"]);
  }
  const stays = (await tenant.ask("fetchRoom", { id: "other" })).body.roomSetting;
  assert.deepEqual([stays.name, stays.roomOwnerId], ["Other", tenant.admin.id]);
});

test("owners who may create own what they create, and count toward the limit", async () => {
  const { tenant, id, ask } = await ownerIn(world, "create", { rooms: 5 });
  for (const roomOwnerId of [
    tenant.admin.id,
    `${id},${tenant.admin.id}`,
    `${tenant.admin.id},${id}`,
  ]) {
    const { status, body } = await ask("createRoom", { name: "New", roomOwnerId });
    assert.deepEqual(
      [status, body.code, body.errors[0].field],
      [403, "not_allowed", "roomOwnerId"],
    );
  }
  const second = askAs(await world.second(), await tenant.tokenOf(id));
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const by = n % 3 === 0 ? tenant.ask : n % 3 === 1 ? ask : second;
      return insist(by)("createRoom", { name: `Room ${n}`, roomOwnerId: id });
    }),
  );
  const outcomes = made.map(outcomeOf).sort();
  assert.deepEqual(outcomes, [...Array(3).fill("ok"), ...Array(9).fill("room_limit")]);
  const { used } = (await tenant.ask("getOrganization", {})).body.organization;
  assert.equal(used.rooms, 5);
  assert.equal((await ask("listRooms", {})).body.pagination.total, 4);
  assert.equal((await ask("editRoom", { room: "own", roomOwnerId: id })).status, 200);
});

/** Takes a room away from its owner while the owner edits it, repeatedly. */
const raceForRoom = async (t: TestContext, rounds: number, twin?: Twin): Promise<void> => {
  const place = twin ? await startWorld(t, { twin }) : world;
  const { tenant, id, ask } = await ownerIn(place, "edit");
  const other = askAs(await place.second(), tenant.token);
  const owner = tenant.admin.id;
  for (let round = 0; round < rounds; round += 1) {
    await tenant.ask("editRoom", { room: "own", roomOwnerId: id });
    const [edits, taken] = await Promise.all([
      Promise.all(
        Array.from({ length: 4 }, (_, n) =>
          insist(ask)("editRoom", { room: "own", roomOwnerId: id, name: `${round}.${n}` }),
        ),
      ),
      insist(other)("editRoom", { room: "own", roomOwnerId: owner }),
    ]);
    assert.equal(taken.status, 200);
    for (const edit of edits) assert.match(outcomeOf(edit), /^(ok|room_not_found)$/);
    const room = (await tenant.ask("fetchRoom", { id: "own" })).body.roomSetting;
    assert.equal(room.roomOwnerId, owner, "nothing comes after the room was taken");
  }
};

test("a former owner no longer edits a room, in whatever order the requests arrive", (t) =>
  raceForRoom(t, count(5, 50, 2)));

testTwin(
  "a twin that checks ownership too early, and lets a former owner edit, is detected",
  async (t) => {
    await assert.rejects(raceForRoom(t, 20, decidesOwners), { code: "ERR_ASSERTION" });
  },
);
