// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type HistoryEntry, historyKinds, isUndoable } from "../../contract/history/history.ts";
import { texts } from "../../contract/kit/texts.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { checkCounters } from "../properties/model.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { looksAway } from "../twins/undoers.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

const newestOf = async (ask: Ask, wanted: object = {}): Promise<HistoryEntry> => {
  const [entry] = (await ask("listHistory", { limit: 1, ...wanted })).body.entries;
  return entry;
};

/** Takes back the newest entry about a subject. */
const undoLast = async (ask: Ask, subjectId: string) =>
  ask("undoChange", { number: (await newestOf(ask, { subjectId })).number });

const holds = async (id: string): Promise<void> => {
  const { broken } = await verifyHistory(openOrganization(world.database, id, operator));
  assert.equal(broken, null);
};

const refused = ({ status, body }: Awaited<ReturnType<Ask>>, code: keyof typeof texts) =>
  assert.deepEqual([status, body.code], [texts[code].status, code]);

const roomOf = async (ask: Ask, id: string) => (await ask("fetchRoom", { id })).body.roomSetting;

test("an edit of a room is taken back, and so is the undo; other changes stay", async () => {
  const { ask, admin, id } = await world.tenant();
  const other = await world.tenant();
  const second = (
    await ask("createUser", {
      ...{ email: `second@${id}.example.org`, name: "Second", loginUrl: "https://example.org/" },
    })
  ).body.user.id;
  const made = { name: "Board", roomOwnerId: admin.id, roomAgenda: null };
  const { room } = (await ask("createRoom", made)).body.roomSetting;
  const whole = await roomOf(ask, room);
  const edit = { room, roomOwnerId: `${second},${admin.id}`, noOfParticipants: 9, name: "Council" };
  await ask("editRoom", { ...edit, roomAgenda: "Money" });
  const edited = await newestOf(ask, { subjectId: room });
  await ask("editRoom", { room, roomOwnerId: edit.roomOwnerId, noOfViewers: 5 });

  refused(await other.ask("undoChange", { number: edited.number }), "entry_not_found");
  const undone = await ask("undoChange", { number: edited.number });
  const taken = { success: true, undone: [edited.number], left: 0 };
  assert.deepEqual([undone.status, undone.body], [200, taken]);
  const { updatedAt, ...back } = await roomOf(ask, room);
  assert.deepEqual({ ...back, updatedAt: whole.updatedAt }, { ...whole, noOfViewers: 5 });
  const entry = await newestOf(ask, { subjectId: room });
  assert.deepEqual(
    [entry.kind, entry.undoes, entry.before, entry.after],
    ["roomEdited", edited.number, edited.after, edited.before],
  );
  const owned = (await ask("listRooms", { userFilter: second })).body.pagination.total;
  assert.equal(owned, 0);

  assert.equal((await undoLast(ask, room)).status, 200);
  const again = await roomOf(ask, room);
  assert.deepEqual(
    [again.name, again.noOfParticipants, again.roomOwnerId, again.noOfViewers],
    ["Council", 9, edit.roomOwnerId, 5],
  );
  await holds(id);
});

test("an owner given to a room without one is taken back, and given again", async () => {
  const { ask, admin, addPerson } = await world.tenant();
  const { id } = await addPerson("owned-alone@example.org", { name: "Alone" });
  const { room } = (await ask("createRoom", { name: "Left", roomOwnerId: id })).body.roomSetting;
  await ask("revokeUsers", [{ userId: id }]);
  await ask("deleteUsers", [id]);
  assert.equal((await roomOf(ask, room)).roomOwnerId, "");
  await ask("editRoom", { room, roomOwnerId: admin.id, name: "Found" });
  for (const [roomOwnerId, name] of [
    ["", "Left"],
    [admin.id, "Found"],
  ]) {
    assert.equal((await undoLast(ask, room)).status, 200);
    const now = await roomOf(ask, room);
    assert.deepEqual([now.roomOwnerId, now.name], [roomOwnerId, name]);
  }
  refused(await ask("editRoom", { room, roomOwnerId: "" }), "invalid_input");
});

test("later changes are named with their current values, and nothing is taken back", async () => {
  const { ask, admin } = await world.tenant();
  const made = { name: "Board", roomOwnerId: admin.id };
  const { room } = (await ask("createRoom", made)).body.roomSetting;
  const edit = { room, roomOwnerId: admin.id };
  await ask("editRoom", { ...edit, name: "Council", noOfParticipants: 9, noOfViewers: 3 });
  const { number } = await newestOf(ask, { subjectId: room });
  await ask("editRoom", { ...edit, name: "Committee", noOfViewers: 4 });
  const before = await roomOf(ask, room);
  const answer = await ask("undoChange", { number });
  refused(answer, "changed_since");
  const byName = (a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1);
  assert.deepEqual(saidIn(answer.body.errors.sort(byName)), [
    { field: "name", message: 'name is "Committee" now.' },
    { field: "noOfViewers", message: "noOfViewers is 4 now." },
  ]);
  assert.deepEqual(await roomOf(ask, room), before);
  await ask("deleteRoom", { id: room });
  refused(await ask("undoChange", { number }), "room_not_found");
});

test("secrets, creations, deletions, passwords and plans are not taken back, and the answer says why", async () => {
  const { ask, admin, addPerson, change } = await world.tenant();
  const { setOrganization } = await import("../../server/organizations/organizations.ts");
  const made = { name: "Board", roomOwnerId: admin.id };
  const { room } = (await ask("createRoom", made)).body.roomSetting;
  const creation = await undoLast(ask, room);
  refused(creation, "undo_impossible");
  assert.deepEqual(creation.body.reason, { code: "kind_not_undone", kind: "roomCreated" });
  await ask("editRoom", { room, roomOwnerId: admin.id, roomPassword: "first" });
  await ask("editRoom", { room, roomOwnerId: admin.id, roomPassword: "sesame", name: "Other" });
  const concealed = await undoLast(ask, room);
  refused(concealed, "undo_impossible");
  assert.deepEqual(saidIn(concealed.body.errors), [
    { field: "roomPassword", message: "roomPassword is not kept in the history." },
  ]);
  for (const key of ["one", "other"]) {
    const liveStreamUrl = `rtmp://live.test/app/${key}`;
    await ask("editRoom", { room, roomOwnerId: admin.id, liveStreamUrl });
  }
  refused(await undoLast(ask, room), "undo_impossible");
  await ask("editRoom", { room, roomOwnerId: admin.id, name: "Other" });
  assert.match((await undoLast(ask, room)).body.message, /changed nothing/);
  await ask("deleteRoom", { id: room });
  refused(await undoLast(ask, room), "undo_impossible");
  const ann = await addPerson("not-undone@example.org", { name: "Ann" });
  await ask("resetPassword", { userId: ann.id });
  assert.match((await undoLast(ask, ann.id)).body.message, /password is not kept/);
  await ask("editUser", { userId: ann.id, name: "Anna" });
  const { number } = await newestOf(ask, { subjectId: ann.id });
  await ask("revokeUsers", [{ userId: ann.id }]);
  await ask("deleteUsers", [ann.id]);
  assert.match((await ask("undoChange", { number })).body.message, /erased/);
  await change((begun) => setOrganization(begun, { max_rooms: 7 }));
  refused(await ask("undoChange", { number: (await newestOf(ask)).number }), "undo_impossible");
  // Every kind is covered.
  assert.equal(historyKinds.filter(isUndoable).length, 14);
});

test("a first password is taken back by removing it, unless it was replaced since", async () => {
  const { ask, admin } = await world.tenant();
  const made = { name: "Board", roomOwnerId: admin.id };
  const { room } = (await ask("createRoom", made)).body.roomSetting;
  const edit = { room, roomOwnerId: admin.id };
  await ask("editRoom", { ...edit, roomPassword: "first", name: "Council" });
  const { number } = await newestOf(ask, { subjectId: room });
  assert.equal((await ask("undoChange", { number })).status, 200);
  assert.deepEqual((await roomOf(ask, room)).roomPassword, null);
  assert.equal((await roomOf(ask, room)).name, "Board");
  // The password is not kept, so the undo cannot be taken back.
  refused(await undoLast(ask, room), "undo_impossible");
  await ask("editRoom", { ...edit, roomPassword: "first" });
  const second = await newestOf(ask, { subjectId: room });
  await ask("editRoom", { ...edit, roomPassword: "replaced" });
  const replaced = await ask("undoChange", { number: second.number });
  refused(replaced, "changed_since");
  assert.deepEqual(saidIn(replaced.body.errors), [
    { field: "roomPassword", message: 'roomPassword is "(set)" now.' },
  ]);
  assert.equal((await roomOf(ask, room)).roomPassword, "replaced");
});

test("the settings of the organization are taken back, unless they changed since", async () => {
  const { ask } = await world.tenant();
  const days = async () =>
    (await ask("getOrganization", {})).body.organization.settings.recordingDays;
  await ask("editOrganization", { recordingDays: 30 });
  const { number } = await newestOf(ask);
  await ask("editOrganization", { recordingDays: 60 });
  const answer = await ask("undoChange", { number });
  refused(answer, "changed_since");
  assert.deepEqual(saidIn(answer.body.errors), [
    { field: "recordingDays", message: "recordingDays is 60 now." },
  ]);
  await ask("undoChange", { number: number + 1 });
  assert.equal((await ask("undoChange", { number })).status, 200);
  assert.equal(await days(), null);
});

test("changes to a person are taken back, by the rules of every change", async () => {
  const { ask, admin, tokenOf, addPerson, id } = await world.tenant({ users: 3 });
  const ann = await addPerson("undone@example.org", { name: "Ann", role: "moderator" });
  const stateOf = async () => {
    const { name, role, tags, location, accountSuspended, accountDeleted } = (
      await ask("findUsers", { userIds: [ann.id] })
    ).body.users[0];
    return { name, role, tags, location, accountSuspended, accountDeleted };
  };
  const first = await stateOf();
  await ask("editUser", {
    userId: ann.id,
    name: "B",
    role: "panelist",
    tags: ["x"],
    location: "Y",
  });
  assert.equal((await undoLast(ask, ann.id)).status, 200);
  assert.deepEqual(await stateOf(), first);
  assert.equal((await newestOf(ask, { subjectId: ann.id })).kind, "userEdited");

  const suspend = { userId: ann.id, action: "suspend" };
  await ask("suspendRestoreUser", suspend);
  assert.equal((await undoLast(ask, ann.id)).status, 200);
  assert.equal((await stateOf()).accountSuspended, false);
  const token = await tokenOf(ann.id);
  assert.equal((await undoLast(ask, ann.id)).status, 200);
  assert.equal((await stateOf()).accountSuspended, true);
  // A suspension that is restored ends sessions like any other.
  assert.equal((await askAs(world.url, token)("whoAmI", {})).status, 401);

  // The suspension survives an undone revocation, and an undone reactivation.
  await ask("revokeUsers", [{ userId: ann.id }]);
  assert.equal((await undoLast(ask, ann.id)).status, 200);
  assert.deepEqual(await stateOf(), { ...first, accountSuspended: true });
  await ask("revokeUsers", [{ userId: ann.id }]);
  await ask("reactivateUser", { userId: ann.id });
  assert.equal((await undoLast(ask, ann.id)).status, 200);
  assert.deepEqual(await stateOf(), { ...first, accountSuspended: true, accountDeleted: true });
  assert.equal((await undoLast(ask, ann.id)).status, 200);
  assert.deepEqual(await stateOf(), first);

  // Nobody can take away their own rights by an undo.
  const byAdmin = askAs(world.url, await tokenOf(admin.id));
  await ask("editUser", { userId: admin.id, admin: false });
  await ask("editUser", { userId: admin.id, admin: true });
  refused(await undoLast(byAdmin, admin.id), "own_account");
  await ask("suspendRestoreUser", { userId: admin.id, action: "suspend" });
  await ask("suspendRestoreUser", { userId: admin.id, action: "restore" });
  const again = askAs(world.url, await tokenOf(admin.id));
  refused(await undoLast(again, admin.id), "own_account");
  await checkCounters(world, id);
  await holds(id);
});

test("people who were revoked together return together, within the limit", async () => {
  const { ask, addPerson, id } = await world.tenant({ users: 4 });
  const people = [];
  for (const name of ["a", "b", "c"]) people.push(await addPerson(`${name}@${id}.example.org`));
  await ask(
    "revokeUsers",
    people.map((person) => ({ userId: person.id })),
  );
  const { number } = await newestOf(ask, { subjectId: people[1]?.id });
  const guest = await addPerson(`guest@${id}.example.org`);
  refused(await ask("undoChange", { number }), "user_limit");
  await ask("revokeUsers", [{ userId: guest.id }]);
  await ask("reactivateUser", { userId: people[2]?.id });
  const changed = await ask("undoChange", { number });
  refused(changed, "changed_since");
  assert.deepEqual(saidIn(changed.body.errors), [
    {
      field: `${people[2]?.id}.accountDeleted`,
      message: `accountDeleted of ${JSON.stringify(people[2]?.name)} is false now.`,
    },
  ]);
  await ask("revokeUsers", [{ userId: people[2]?.id }]);
  const undone = await ask("undoChange", { number });
  assert.deepEqual(undone.body.undone, [number - 1, number, number + 1]);
  const users = (await ask("findUsers", { userIds: people.map((one) => one.id) })).body.users;
  assert.ok(users.every((user: { accountDeleted: boolean }) => !user.accountDeleted));
  assert.equal((await checkCounters(world, id)).users, 4);
  // And are revoked together again.
  const back = await newestOf(ask);
  assert.equal(back.undoes, number + 1);
  assert.equal((await ask("undoChange", { number: back.number })).body.undone.length, 3);
  assert.equal((await checkCounters(world, id)).users, 1);
  await holds(id);
});

/** Two people take the same change back at the same time, repeatedly. */
const race = async (t: TestContext, twin?: Twin): Promise<void> => {
  const raced = twin ? await startWorld(t, { twin }) : world;
  const { ask, askAt, admin } = await raced.tenant();
  const other = askAt(await raced.second());
  const { room } = (await ask("createRoom", { name: "0", roomOwnerId: admin.id })).body.roomSetting;
  for (let round = 1; round <= 10; round += 1) {
    await ask("editRoom", { room, roomOwnerId: admin.id, name: String(round) });
    const { number } = await newestOf(ask, { subjectId: room });
    const both = await Promise.all([ask, other].map((one) => one("undoChange", { number })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await newestOf(ask, { subjectId: room })).undoes, number);
  }
};

test("of two simultaneous undos of a change, one succeeds", (t) => race(t));

testTwin("a twin that ignores later changes, and undoes twice, is detected", async (t) => {
  await assert.rejects(race(t, looksAway), { code: "ERR_ASSERTION" });
});
