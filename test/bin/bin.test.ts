import assert from "node:assert/strict";
import { test } from "node:test";
import { enterInvited, leave } from "../meetings/invited.ts";
import { checkCounters } from "../properties/model.ts";
import { addRecordingRow } from "../recordings/rows.ts";
import { mendsResting } from "../twins/bins.ts";
import { testTwin } from "../twins/test-twin.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld, type World } from "../world/world.ts";
import {
  done,
  entriesOf,
  idsOf,
  keeping,
  kindsOf,
  made,
  newestOf,
  refused,
  revokedPerson,
} from "./keeping.ts";

const world = await startWorld(test);

test("a room in the bin appears in no answer, and comes back as it was", async () => {
  const tenant = await keeping(world);
  const { ask, admin, addPerson, change, id } = tenant;
  const second = await addPerson(`second@${id}.example.org`);
  const room = await made(ask, {
    room: "r",
    name: "Böard",
    roomOwnerId: `${second.id},${admin.id}`,
    isStatic: true,
    ...{ roomPassword: "sesame", liveStreamUrl: "rtmp://h/x", liveStreamKey: "k" },
  });
  const { code } = (await ask("getRoomLink", { roomId: room })).body;
  const recordingId = await change((begun) => addRecordingRow(begun, room));
  const before = (await ask("fetchRoom", { id: room })).text;

  const { ids: binned, inUse } = (await ask("binRooms", { rooms: [room, room] })).body;
  assert.deepEqual([binned, inUse], [await idsOf(ask), []]);
  const nobody = "no-such-room";
  for (const [operation, input] of [
    ["fetchRoom", (one: string) => ({ id: one })],
    ["editRoom", (one: string) => ({ room: one, roomOwnerId: admin.id })],
    ["deleteRoom", (one: string) => ({ id: one })],
    ["binRooms", (one: string) => ({ rooms: [one] })],
    ["getMeeting", (one: string) => ({ roomId: one })],
    ["getRoomLink", (one: string) => ({ roomId: one })],
    ["joinRoom", (one: string) => ({ roomId: one, peerName: "X" })],
    ["startRecording", (one: string) => ({ roomId: one })],
    ["listRecordings", (one: string) => ({ roomId: one })],
    ["listMeetings", (one: string) => ({ roomId: one })],
  ] as const) {
    const [it, none] = [await ask(operation, input(room)), await ask(operation, input(nobody))];
    assert.deepEqual([it.status, it.text], [none.status, none.text], operation);
  }
  refused(await world.open("fetchInvitation", { roomId: code }), "room_not_found");
  refused(await ask("fetchRecording", { recordingId }), "recording_not_found");
  for (const wanted of [{}, { search: "böard" }, { userFilter: second.id }, { withoutOwner: true }])
    assert.equal((await ask("listRooms", wanted)).body.pagination.total, 0);
  const people = (await ask("listUsers", { role: "moderator" })).body.users;
  assert.deepEqual(people[0].roomIds, []);
  assert.equal((await checkCounters(world, id)).rooms, 0);
  refused(await ask("createRoom", { name: "x", room, roomOwnerId: admin.id }), "room_taken");

  const [entry] = await entriesOf(ask, { kind: "room", search: "BÖ" });
  assert.deepEqual([entry?.subjectId, entry?.name, entry?.email], [room, "Böard", null]);
  // PostgreSQL reads its clock separately for each of the two.
  const days = (Date.parse(entry?.endsAt ?? "") - Date.parse(entry?.deletedAt ?? "")) / 86_400_000;
  assert.equal(Math.round(days), 30);
  assert.deepEqual(await entriesOf(ask, { kind: "user" }), []);
  const ids = [entry?.id ?? ""];
  const named = async (...asked: Parameters<typeof ask>) => {
    const { body } = await ask(...asked);
    return [body.code, ...body.errors.map(({ field }: { field: string }) => field)];
  };
  assert.deepEqual(
    [
      await named("binUsers", { userIds: ["unknown"] }),
      await named("binRooms", { rooms: ["nope", "nowhere"] }),
      await named("restoreFromBin", { ids: [...ids, "another"] }),
    ].map((one) => one.join(" ")),
    ["user_not_found userIds[0]", "room_not_found rooms[0] rooms[1]", "not_in_bin ids[1]"],
  );
  done(await ask("restoreFromBin", { ids }));
  assert.equal((await ask("fetchRoom", { id: room })).text, before);
  assert.equal((await ask("getRoomLink", { roomId: room })).body.code, code);
  done(await ask("fetchRecording", { recordingId }));
  assert.equal((await ask("listRooms", { userFilter: second.id })).body.pagination.total, 1);
  refused(await ask("restoreFromBin", { ids }), "not_in_bin");
  assert.deepEqual(await kindsOf(ask, room), ["roomUnbinned", "roomBinned", "roomCreated"]);
  assert.equal((await checkCounters(world, id)).rooms, 1);

  // An owner who is permanently deleted meanwhile does not come back with the room.
  done(await ask("binRooms", { rooms: [room] }));
  done(await ask("revokeUsers", [{ userId: second.id }]));
  done(await ask("deleteUsers", [second.id]));
  done(await ask("restoreFromBin", { ids }));
  assert.equal((await ask("fetchRoom", { id: room })).body.roomSetting.roomOwnerId, admin.id);
});

/** A person is put into the bin, and comes back. */
const rest = async (at: World): Promise<void> => {
  const tenant = await keeping(at);
  const { ask, admin, id } = tenant;
  const email = `ann@${id}.example.org`;
  const ann = await revokedPerson(tenant, email);
  const stored = () =>
    at.database.read.selectFrom("users").selectAll().where("id", "=", ann.id).execute();
  // Two people own one room; another is hers alone; a third is given to somebody else meanwhile.
  const both = `${admin.id},${ann.id}`;
  done(await ask("reactivateUser", { userId: ann.id }));
  const rooms = ["shared", "own", "given"];
  for (const room of rooms)
    await made(ask, { room, roomOwnerId: room === "shared" ? both : ann.id });
  done(await ask("suspendRestoreUser", { userId: ann.id, action: "suspend" }));
  refused(await ask("binUsers", { userIds: [ann.id] }), "user_not_revoked");
  done(await ask("revokeUsers", [{ userId: ann.id }]));
  const before = await stored();
  const ownerOf = async (room: string) =>
    (await ask("fetchRoom", { id: room })).body.roomSetting.roomOwnerId;

  done(await ask("binUsers", { userIds: [ann.id] }));
  for (const [operation, input] of [
    ["editUser", { userId: ann.id, name: "B" }],
    ["reactivateUser", { userId: ann.id }],
    ["reactivateUser", { email }],
    ["deleteUsers", [ann.id]],
    ["binUsers", { userIds: [ann.id] }],
  ] as const) {
    refused(await ask(operation, input), "user_not_found");
  }
  assert.deepEqual((await ask("findUsers", { userIds: [ann.id] })).body.users, []);
  const list = await ask("listRevokedUsers", { role: "panelist", search: "ann" });
  assert.equal(list.body.pagination.total, 0);
  refused(await at.open("signIn", { login: before[0]?.username, password: "x" }), "wrong_login");
  refused(await at.open("signIn", { login: email, password: "x" }), "wrong_login");
  assert.deepEqual([await ownerOf("shared"), await ownerOf("own")], [admin.id, ""]);
  const ownerless = await ask("listRooms", { withoutOwner: true });
  assert.equal(ownerless.body.pagination.total, 2);
  assert.equal((await ask("listRooms", { userFilter: ann.id })).body.pagination.total, 0);
  refused(await ask("createRoom", { name: "x", roomOwnerId: ann.id }), "invalid_input");

  // An edit that leaves the owners unchanged keeps the owner who is in the bin; any other edit replaces them.
  const edited = await ask("editRoom", { room: "shared", roomOwnerId: admin.id, name: "New" });
  assert.equal(edited.body.roomSetting.roomOwnerId, admin.id);
  done(await ask("editRoom", { room: "own", roomOwnerId: "", name: "New" }));
  done(await ask("editRoom", { room: "given", roomOwnerId: admin.id }));
  // The job that removes former people from their rooms runs now, and leaves these rooms alone.
  const gone = await revokedPerson(tenant, `gone@${id}.example.org`);
  done(await ask("deleteUsers", [gone.id]));

  // Her address is free, and she cannot come back while somebody else has it.
  const heir = await ask("createUser", { email, name: "Heir", loginUrl: "https://x.org/" });
  assert.equal(heir.status, 201);
  const [entry] = await entriesOf(ask);
  assert.deepEqual([entry?.subjectId, entry?.name, entry?.email], [ann.id, "Ann", email]);
  const taken = await ask("restoreFromBin", { ids: [ann.id] });
  refused(taken, "bin_email_taken");
  assert.deepEqual(saidIn(taken.body.errors), [
    { field: "ids[0]", message: `Another account has ${email} now.` },
  ]);
  done(await ask("editUser", { userId: heir.body.user.id, email: `heir@${id}.example.org` }));
  done(await ask("restoreFromBin", { ids: [ann.id] }));
  const [was, is] = [before[0], (await stored())[0]];
  assert.deepEqual({ ...is, updated_at: was?.updated_at }, { ...was });
  assert.deepEqual([await ownerOf("shared"), await ownerOf("own")], [both, ann.id]);
  assert.equal(await ownerOf("given"), admin.id);
  assert.equal((await ask("listRooms", { userFilter: ann.id })).body.pagination.total, 2);
  assert.deepEqual((await kindsOf(ask, ann.id)).slice(0, 2), ["userUnbinned", "userBinned"]);
  await checkCounters(at, id);
};

test("a person in the bin appears in no answer, frees the email, and comes back as they were", () =>
  rest(world));

testTwin("a twin that removes people in the bin from their rooms is detected", async (t) => {
  await assert.rejects(rest(await startWorld(t, { twin: mendsResting })), {
    code: "ERR_ASSERTION",
  });
});

test("entries that leave the bin for good, by hand or by age, leave nothing", async () => {
  const tenant = await keeping(world);
  const { ask, admin, change, id } = tenant;
  const ann = await revokedPerson(tenant, `sentinel@${id}.example.org`);
  const bob = await revokedPerson(tenant, `bob@${id}.example.org`);
  for (const room of ["a", "b", "c"]) await made(ask, { room, roomOwnerId: admin.id });
  const recording = await change((begun) => addRecordingRow(begun, "b"));
  done(await ask("binRooms", { rooms: ["a", "b", "c"] }));
  done(await ask("binUsers", { userIds: [ann.id, bob.id] }));
  const entries = await entriesOf(ask);
  const idOf = (subject: string) => entries.find((one) => one.subjectId === subject)?.id ?? "";
  // Ends the retention of everything except "a" and Bob.
  await world.database.change((tx) =>
    tx
      .updateTable("bin")
      .set({ ends_at: new Date(0).toISOString() })
      .where("organization_id", "=", id)
      .where("id", "not in", [idOf("a"), idOf(bob.id)])
      .execute(),
  );
  done(await ask("deleteFromBin", { id: idOf("a") }));
  refused(await ask("deleteFromBin", { id: idOf("a") }), "not_in_bin");
  // Bob's rows are left to the service, which then sweeps the bin.
  done(await ask("deleteFromBin", { id: idOf(bob.id) }));
  await until("the bin is empty", async () => (await idsOf(ask)).length === 0);
  for (const room of ["a", "b", "c"]) {
    assert.deepEqual(await kindsOf(ask, room), ["roomDeleted", "roomBinned", "roomCreated"]);
  }
  const { actor } = await newestOf(ask, "b");
  assert.deepEqual(actor, { kind: "service", id: null, name: "Parley", address: null });
  const byService = await ask("listHistory", { search: "parley", kind: "roomDeleted" });
  assert.equal(byService.body.pagination.total, 2);
  const recordings = (await ask("listHistory", { kind: "recordingDeleted" })).body.entries;
  assert.deepEqual(
    recordings.map(({ subject }: { readonly subject: { readonly id: string } }) => subject.id),
    [recording],
  );
  await until("no row tells of them", async () => {
    const users = await world.database.read
      .selectFrom("users")
      .select("id")
      .where("id", "in", [ann.id, bob.id])
      .execute();
    return users.length === 0;
  });
  const told = (await ask("listHistory", { subjectId: ann.id })).text;
  assert.ok(!told.includes("sentinel"), told);
  const rows = world.database.read;
  for (const table of ["rooms", "bin", "recordings"] as const) {
    const left = await rows
      .selectFrom(table)
      .selectAll()
      .where("organization_id", "=", id)
      .execute();
    assert.deepEqual(left, [], table);
  }
  await made(ask, { room: "a", roomOwnerId: admin.id });
  await checkCounters(world, id);
});

test("a room in use goes into the bin, and its meeting runs until everybody has left", async (t) => {
  const tenant = await keeping(world);
  const { ask, admin } = tenant;
  for (const room of ["rests", "back", "goes"]) await made(ask, { room, roomOwnerId: admin.id });
  const inside = async (room: string) => enterInvited(t, world.url, tenant, room, "Ann");
  const [ann, bob, cleo] = [await inside("rests"), await inside("back"), await inside("goes")];
  const deleted = await ask("binRooms", { rooms: ["rests", "back", "goes"] });
  assert.deepEqual(deleted.body.inUse, ["rests", "back", "goes"]);
  refused(await ask("joinRoom", { roomId: "rests", peerName: "X" }), "room_not_found");
  const entries = await entriesOf(ask);
  const idOf = (subject: string) => entries.find((one) => one.subjectId === subject)?.id ?? "";

  await leave(tenant, ann);
  done(await ask("restoreFromBin", { ids: [idOf("rests"), idOf("back")] }));
  const statusOf = async (id: string) =>
    (await ask("fetchRoom", { id })).body.roomSetting.roomStatus;
  assert.deepEqual([await statusOf("rests"), await statusOf("back")], ["free", "busy"]);
  const { meetings } = (await ask("listMeetings", { roomId: "rests" })).body;
  assert.equal(meetings.length, 1, "the meeting is in the history of the room");
  await leave(tenant, bob);
  assert.equal(await statusOf("back"), "free");

  done(await ask("deleteFromBin", { id: idOf("goes") }));
  refused(
    await ask("createRoom", { name: "x", room: "goes", roomOwnerId: admin.id }),
    "room_taken",
  );
  await leave(tenant, cleo);
  await made(ask, { room: "goes", roomOwnerId: admin.id });
});

test("the bin is off by default, and takes deletions by programs only if that is chosen", async () => {
  const tenant = await world.tenant();
  const { ask, admin, id } = tenant;
  const ann = await revokedPerson(tenant, `off@${id}.example.org`);
  await made(ask, { room: "r", roomOwnerId: admin.id });
  refused(await ask("binRooms", { rooms: ["r"] }), "bin_off");
  refused(await ask("binUsers", { userIds: [ann.id] }), "bin_off");
  for (const wrong of [{ binDays: 0 }, { binDays: "7" }, { binFor: "nothing" }]) {
    refused(await ask("editOrganization", wrong), "invalid_input");
  }
  const remove = async () => done(await ask("deleteRoom", { id: "r" }));
  for (const settings of [{ binFor: "everything" }, { binDays: 7, binFor: "console" }]) {
    done(await ask("editOrganization", settings));
    await remove();
    assert.deepEqual(await idsOf(ask), []);
    await made(ask, { room: "r", roomOwnerId: admin.id });
  }
  done(await ask("editOrganization", { binFor: "everything" }));
  await remove();
  done(await ask("deleteUsers", [ann.id]));
  const entries = await entriesOf(ask);
  assert.deepEqual(
    entries.map(({ subjectId }) => subjectId),
    [ann.id, "r"],
  );
  // Entries that are in the bin keep their end.
  done(await ask("editOrganization", { binDays: null }));
  assert.deepEqual(await entriesOf(ask), entries);
  done(await ask("restoreFromBin", { ids: entries.map((entry) => entry.id) }));
  assert.equal((await checkCounters(world, id)).rooms, 1);
});
