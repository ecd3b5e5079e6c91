import assert from "node:assert/strict";
import { test } from "node:test";
import type { PeerType } from "../../contract/meetings/meetings.ts";
import * as meetings from "../meetings/invited.ts";
import { startWorld } from "../world/world.ts";
import { failure, notFound, typedFailure, types } from "./expected.ts";
import { type Home, newHome, ROOMS } from "./home.ts";

const world = await startWorld(test);
/** The tickets of people who entered, by organization, room and name. */
const tickets = new Map<string, string>();
const enter = async (home: Home, room: string, person: string, seat?: PeerType) => {
  const { ticket } = await meetings.enterInvited(test, world.url, home, room, person, seat);
  tickets.set(`${home.id} ${room} ${person}`, ticket);
};
const leave = (home: Home, room: string, person: string) =>
  meetings.leave(home, { ticket: tickets.get(`${home.id} ${room} ${person}`) ?? "unknown" });
const statusOf = async (home: Home, room: string) => (await home.fetched(room)).roomStatus;
const overview = async (home: Home) => {
  const { organization } = (await home.ask("GET /api/organization")).body;
  return { ...organization.rooms, used: organization.used.rooms };
};
const list = async (home: Home, query = "") =>
  (await home.ask(`GET ${ROOMS}/paginated?${query}`)).body;

/** Moves everybody's arrival into the past. */
const putBack = (home: Home, seconds: number) =>
  home.change(({ tx, organization }) =>
    tx
      .updateTable("seats")
      .set({ joined_at: new Date(Date.now() - seconds * 1000).toISOString() })
      .where("organization_id", "=", organization.id)
      .where("left_at", "is", null)
      .execute(),
  );
const stored = async (home: Home) => {
  const [rooms, owners, meetings] = await Promise.all(
    (["rooms", "room_owners", "meetings"] as const).map(async (table) => {
      const rows = world.database.read.selectFrom(table).select("organization_id");
      return (await rows.where("organization_id", "=", home.id).execute()).length;
    }),
  );
  return { rooms, owners, meetings };
};

test("a room is free with nobody inside, busy with seats left, occupied with every seat taken", async () => {
  const home = await newHome(world);
  await home.room({ room: "r", noOfModerators: 1, noOfParticipants: 1, noOfViewers: 1 });
  const steps = [
    [() => enter(home, "r", "a"), "busy"],
    [() => enter(home, "r", "b", "moderator"), "busy"],
    [() => enter(home, "r", "b", "moderator"), "busy"],
    [() => enter(home, "r", "c", "viewer"), "occupied"],
    [() => leave(home, "r", "nobody"), "occupied"],
    [() => leave(home, "r", "a"), "busy"],
    [() => leave(home, "r", "b"), "busy"],
    [() => leave(home, "r", "c"), "free"],
    [() => leave(home, "r", "c"), "free"],
  ] as const;
  assert.equal(await statusOf(home, "r"), "free");
  for (const [step, expected] of steps) {
    await step();
    assert.equal(await statusOf(home, "r"), expected);
    const { roomSettings } = await list(home);
    assert.equal(roomSettings[0].roomStatus, expected);
    const one = { free: 0, busy: 0, occupied: 0, used: 1, [expected]: 1 };
    assert.deepEqual(await overview(home), one);
  }
});

test("people who enter and leave change neither updatedAt nor any setting", async () => {
  const home = await newHome(world);
  const before = await home.room({ room: "r", noOfViewers: 9 });
  // A changed updatedAt would be another millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await enter(home, "r", "a");
  assert.deepEqual(await home.fetched("r"), { ...before, roomStatus: "busy" });
  await leave(home, "r", "a");
  const { totalCallTime, ...after } = await home.fetched("r");
  assert.deepEqual({ ...after, totalCallTime: "0" }, before);
});

test("an edit of the seats changes the status of a room in use", async () => {
  const home = await newHome(world);
  await home.room({ room: "r", noOfModerators: 0, noOfParticipants: 1 });
  await enter(home, "r", "a");
  assert.equal(await statusOf(home, "r"), "occupied");
  const edit = async (noOfViewers: number) => {
    const sent = { room: "r", roomOwnerId: home.owner, noOfViewers, roomStatus: "free" };
    return (await home.ask(`PUT ${ROOMS}`, sent)).body.roomSetting.roomStatus;
  };
  assert.deepEqual([await edit(5), await edit(0)], ["busy", "occupied"]);
});

test("totalCallTime is the seconds with somebody inside, over all meetings, as text", async () => {
  const home = await newHome(world);
  await home.room({ room: "r", noOfParticipants: 2 });
  const since = performance.now();
  const meet = async (seconds: number) => {
    await enter(home, "r", "a");
    await enter(home, "r", "b");
    await putBack(home, seconds);
    await leave(home, "r", "a");
    await leave(home, "r", "b");
    return (await home.fetched("r")).totalCallTime;
  };
  let least = 0;
  let last = "0";
  for (const seconds of [90, 3600, 0]) {
    last = await meet(seconds);
    least += seconds;
    // They were also inside while this test ran.
    const most = least + (performance.now() - since) / 1000 + 1;
    assert.match(last, /^\d+$/);
    assert.ok(Number(last) >= least && Number(last) <= most, `${last} is not about ${least}`);
  }
  const record = await home.fetched("r");
  const sent = { ...record, totalCallTime: "5" };
  const { body } = await home.ask(`PUT ${ROOMS}`, sent);
  assert.equal(body.roomSetting.totalCallTime, last);
});

test("a room in use is deleted at once for everybody, with 202", async () => {
  const home = await newHome(world);
  const owner = await home.person();
  await home.room({ room: "r", name: "Doomed", roomOwnerId: owner.id });
  await enter(home, "r", "a");
  const { status, body } = await home.ask(`DELETE ${ROOMS}/r`);
  assert.deepEqual([status, body], [202, { type: types.remove, success: true }]);
  for (const ask of [home.ask, owner.ask]) {
    const fetched = await ask(`GET ${ROOMS}/r`);
    assert.deepEqual([fetched.status, fetched.body], [404, typedFailure(types.fetch, ...notFound)]);
  }
  const edited = await home.ask(`PUT ${ROOMS}`, { room: "r", roomOwnerId: home.owner });
  assert.deepEqual([edited.status, edited.body], [404, typedFailure(types.edit, ...notFound)]);
  const again = await home.ask(`DELETE ${ROOMS}/r`);
  assert.deepEqual([again.status, again.body], [404, typedFailure(types.remove, ...notFound)]);
  for (const query of ["", "search=doomed", `userFilter=${owner.id}`, "sortBy=updatedAt"]) {
    const { roomSettings, pagination } = await list(home, query);
    assert.deepEqual([roomSettings, pagination.total], [[], 0]);
  }
  assert.deepEqual(await overview(home), { free: 0, busy: 0, occupied: 0, used: 0 });
  const people = { role: "moderator", search: "Ann" };
  const { body: listed } = await home.ask("POST /api/user/fetchOrgUsersWithPagination", people);
  assert.deepEqual([listed.users[0].rooms, listed.users[0].roomIds], [[], []]);
});

test("a room that awaits its deletion keeps its ID taken and its place in the plan free", async () => {
  const home = await newHome(world, { rooms: 1 });
  await home.room({ room: 42 });
  await enter(home, "42", "a");
  await home.ask(`DELETE ${ROOMS}/42`);
  const again = await home.ask(`POST ${ROOMS}`, { name: "x", roomOwnerId: home.owner, room: 42 });
  const said = "Room ID already exists. Try again with a different room ID.";
  assert.deepEqual([again.status, again.body], [409, failure("room_taken", said)]);
  await home.room();
  const over = await home.ask(`POST ${ROOMS}`, { name: "x", roomOwnerId: home.owner });
  assert.equal(over.status, 403);
  await leave(home, "42", "a");
  assert.equal(await home.used(), 1);
});

test("the deleted room goes with its last person, its meetings and owners too, and its ID is free", async () => {
  const home = await newHome(world);
  await home.room({ room: "r", noOfParticipants: 5 });
  await enter(home, "r", "before");
  await leave(home, "r", "before");
  await enter(home, "r", "a");
  await enter(home, "r", "b");
  await home.ask(`DELETE ${ROOMS}/r`);
  await leave(home, "r", "a");
  assert.deepEqual(await stored(home), { rooms: 1, owners: 0, meetings: 2 });
  await leave(home, "r", "b");
  assert.deepEqual(await stored(home), { rooms: 0, owners: 0, meetings: 0 });
  const made = await home.room({ room: "r" });
  assert.deepEqual([made.roomStatus, made.totalCallTime], ["free", "0"]);
  assert.deepEqual(await overview(home), { free: 1, busy: 0, occupied: 0, used: 1 });
});

test("nobody enters a room that awaits its deletion or does not exist", async () => {
  const home = await newHome(world);
  await home.room({ room: "r" });
  await enter(home, "r", "a");
  await home.ask(`DELETE ${ROOMS}/r`);
  for (const roomId of ["r", "nowhere"]) {
    const answer = await home.ask("joinRoom", { roomId, peerName: "b" });
    assert.deepEqual([answer.status, answer.body], [404, failure(...notFound)]);
  }
});

test("a room whose meeting is over is deleted at once", async () => {
  const home = await newHome(world);
  await home.room({ room: "r" });
  await enter(home, "r", "a");
  await leave(home, "r", "a");
  assert.equal((await home.ask(`DELETE ${ROOMS}/r`)).status, 200);
  assert.deepEqual(await stored(home), { rooms: 0, owners: 0, meetings: 0 });
});
