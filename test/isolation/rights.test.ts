// Runs: postgres-first

import assert from "node:assert/strict";
import { test } from "node:test";
import { enter } from "../meetings/inside.ts";
import { askAs } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { readOnlyOf } from "./read-only.ts";
import { all, type Own, positions } from "./rows.ts";

test("P-TEN-5: an account without admin fetches and lists its own rooms, and nothing else", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const person = await tenant.addPerson("person@example.org");
  const { body } = await tenant.ask("createRoom", { name: "Own", roomOwnerId: person.id });
  await tenant.ask("createRoom", {
    name: "Of others",
    roomOwnerId: tenant.admin.id,
    room: "others",
  });
  const own: Own = {
    user: tenant.admin.id,
    other: tenant.admin.id,
    revoked: person.id,
    room: body.roomSetting.room,
  };
  const mayAsk = new Set([
    "fetchRoom",
    "listRooms",
    "whoAmI",
    "signOut",
    "changePassword",
    "fetchBrand",
    "signOutOfProvider",
    "fetchAccount",
    "editAccount",
    "listSessions",
    "endSessions",
    "fetchFactors",
    "proveMyself",
    "beginAuthenticator",
    "confirmAuthenticator",
    "removeAuthenticator",
    "makeRecoveryCodes",
    "beginProof",
    "listPasskeys",
    "beginPasskey",
    "addPasskey",
    "renamePasskey",
    "removePasskey",
  ]);
  for (const role of ["moderator", "admin", "administrator"]) {
    await tenant.ask("editUser", { userId: person.id, role });
    const authorization = `Bearer ${await tenant.tokenOf(person.id)}`;
    for (const [id, operation] of all) {
      if (operation.access === "anyone" || mayAsk.has(id) || ofOwners.includes(operation.group))
        continue;
      const row = positions.find(({ operation }) => operation === id);
      // Well-formed, malformed and empty inputs: refused before anything is checked.
      for (const input of [row?.input(own.user, own) ?? {}, [], { userId: 1 }]) {
        const answer = await tenant.ask(id, input, { authorization });
        assert.deepEqual([answer.status, answer.body.code], [403, "not_allowed"], id);
      }
    }
    const list = await tenant.ask("listRooms", {}, { authorization });
    assert.deepEqual(
      list.body.roomSettings.map(({ name }: { readonly name: string }) => name),
      ["Own"],
    );
    assert.equal(list.body.pagination.total, 1);
    const fetched = await tenant.ask("fetchRoom", { id: own.room }, { authorization });
    assert.equal(fetched.status, 200);
    const other = await tenant.ask("fetchRoom", { id: "others" }, { authorization });
    assert.equal(other.body.code, "room_not_found");
  }
  const seen = await tenant.ask("findUsers", { userIds: [person.id] });
  assert.equal(seen.body.users[0].admin, false, "no role makes an administrator");
});

/** Operations for room owners too: see the next test, test/recordings, test/live and test/transcription. */
const ofOwners: readonly string[] = ["Meetings", "Recordings", "Live", "Transcripts"];

/** The answers about a meeting, a person in it, or a room that belongs to somebody else. */
const notFound = {
  room: "room_not_found",
  peer: "peer_not_found",
  meeting: "meeting_not_found",
} as const;

test("P-TEN-5: an account without admin sees and moderates the meetings of its own rooms, and no others", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const person = await tenant.addPerson("person@example.org");
  const asAdmin = askAs(world.url, await tenant.tokenOf(tenant.admin.id));
  const ask = askAs(world.url, await tenant.tokenOf(person.id));
  /** A room with a person in its meeting. */
  const meet = async (room: string, roomOwnerId: string) => {
    const seats = { noOfModerators: 2, noOfParticipants: 5, noOfViewers: 5 };
    await tenant.ask("createRoom", { name: room, room, roomOwnerId, ...seats });
    const { peerId } = await enter(t, { url: world.url, ask: asAdmin }, room);
    const { meetingId } = (await asAdmin("getMeeting", { roomId: room })).body.meeting;
    return { room, meeting: meetingId, peer: peerId };
  };
  const own = await meet("own", person.id);
  const others = await meet("others", tenant.admin.id);
  const linkOf = async () => (await asAdmin("getRoomLink", { roomId: "others" })).body.code;
  const code = await linkOf();
  const ids = { user: person.id, other: tenant.admin.id, revoked: person.id, room: own.room };

  const ofMeetings = all.filter(
    ([, { group, access }]) => group === "Meetings" && access === "token",
  );
  const isThere = (id: string): id is keyof typeof notFound => Object.hasOwn(notFound, id);
  for (const [id] of ofMeetings) {
    const rows = positions.filter(({ operation }) => operation === id);
    assert.ok(rows.length > 0, id);
    for (const { of, place, input } of rows) {
      assert.ok(isThere(of), id);
      const { status, body } = await ask(id, input(others[of], ids));
      if (id === "listMeetings") assert.deepEqual([status, body.meetings], [200, []]);
      else if (id === "findRoomsInUse") assert.deepEqual([status, body.rooms], [200, []]);
      else assert.equal(body.code, notFound[of], `${id}, ${place}`);
      if (of === "peer") continue;
      const mine = await ask(id, input(own[of], ids));
      assert.ok(!/_allowed|room_not|meeting_not/.test(mine.body?.code), `${id}, ${place}`);
    }
  }
  assert.equal(await linkOf(), code);
  assert.equal((await asAdmin("getMeeting", { roomId: "others" })).body.meeting.locked, false);
});

test("P-TEN-5: rights of admin end with the request that takes them away", async (t) => {
  const world = await startWorld(t);
  const second = await world.second();
  const tenant = await world.tenant();
  const { id: userId } = await tenant.addPerson("person@example.org", { admin: true });
  const authorization = `Bearer ${await tenant.tokenOf(userId)}`;
  const list = (url: string) => tenant.askAt(url)("fetchUsers", {}, { authorization });
  assert.equal((await list(second)).status, 200);
  await tenant.ask("editUser", { userId, admin: false });
  for (const url of [world.url, second]) assert.equal((await list(url)).status, 403);
});

test("P-TEN-6: no request sets what only the service may set", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const roomOwnerId = tenant.admin.id;
  const forbidden = {
    accountDeleted: true,
    accountSuspended: true,
    id: "mine",
    _id: "mine",
    username: "mine",
    password: "mine",
    createdAt: "1999-01-01T00:00:00.000Z",
    roomStatus: "occupied",
    updatedAt: "1999-01-01T00:00:00.000Z",
    totalCallTime: "4711",
    siteSetting: "mine",
    profileId: "mine",
    credentials: 9,
    password_digest: "mine",
    account_deleted: true,
    organization_id: "mine",
    name_key: "mine",
    email_key: "mine",
    used_users: 0,
    form: 9,
    rooms: ["mine"],
    roomIds: ["mine"],
    record: "{}",
    extras: "{}",
    created_by: "mine",
  };
  const login = { loginUrl: "https://x.org" };
  const made = await tenant.ask("createUser", {
    email: "a@example.org",
    name: "Ann",
    ...login,
    ...forbidden,
    userId: "mine",
  });
  assert.equal(made.status, 201);
  const { id: userId } = made.body.user;
  const before = await readOnlyOf(world, "users", userId);
  assert.ok(!JSON.stringify(before).includes("mine"), JSON.stringify(before));
  assert.notEqual(made.body.password, "mine");
  assert.ok(!made.body.user.accountDeleted && !made.body.user.accountSuspended);
  const edited = await tenant.ask("editUser", { userId, location: "here", ...forbidden });
  assert.equal(edited.status, 200);
  const { location, updated_at, ...after } = await readOnlyOf(world, "users", userId);
  assert.equal(location, "here");
  assert.ok(`${updated_at}` >= `${before.updated_at}`);
  for (const field of Object.keys(after)) assert.deepEqual(after[field], before[field], field);
  const named = edited.headers.get("parley-ignored")?.split(", ") ?? [];
  for (const field of ["accountDeleted", "username", "password"]) assert.ok(named.includes(field));

  const room = await tenant.ask("createRoom", {
    name: "Room",
    roomOwnerId,
    ...forbidden,
    userId: "mine",
  });
  assert.equal(room.status, 201);
  const id = room.body.roomSetting.room;
  const stored = await readOnlyOf(world, "rooms", id);
  assert.ok(!JSON.stringify(stored).includes("mine"), JSON.stringify(stored));
  const changed = await tenant.ask("editRoom", {
    room: id,
    roomOwnerId,
    ...forbidden,
    userId: "mine",
  });
  const { roomSetting } = changed.body;
  assert.deepEqual(
    [roomSetting.roomStatus, roomSetting.totalCallTime, roomSetting.createdAt],
    ["free", "0", stored.created_at],
  );
  assert.deepEqual([roomSetting.siteSetting, roomSetting.userId], [tenant.id, null]);
  assert.ok(!changed.text.includes("mine"), changed.text);
});
