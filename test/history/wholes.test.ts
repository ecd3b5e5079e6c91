import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { carryOut, goOn, upload } from "../imports/importing.ts";
import { checkCounters } from "../properties/model.ts";
import type { Ask } from "../world/ask.ts";
import { addRooms, roomAt } from "../world/many.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { undoWhole } from "./undoing.ts";

/* Imports and hand-overs, which are taken back as one by the entry that stands for them. */

const world = await startWorld(test);

const holds = async (id: string): Promise<void> => {
  const { broken } = await verifyHistory(openOrganization(world.database, id, operator));
  assert.equal(broken, null);
};

const entriesOf = async (ask: Ask, wanted: object): Promise<readonly HistoryEntry[]> =>
  (await ask("listHistory", { limit: 100, ...wanted })).body.entries;

const totalOf = async (ask: Ask): Promise<number> =>
  (await ask("listRooms", { limit: 1 })).body.pagination.total;

const roomOf = async (ask: Ask, id: string) => (await ask("fetchRoom", { id })).body.roomSetting;

const byNumber = (a: number, b: number): number => a - b;

/** Imports rooms or people. @returns the number of the import's entry */
const bring = async (ask: Ask, kind: "rooms" | "users", text: readonly object[]) => {
  const { id } = await upload(ask, { kind, text });
  const { entry, done } = await carryOut(ask, id);
  assert.equal(done.refused, 0);
  return entry;
};

const roomsFor = (owner: string, many: number) =>
  Array.from({ length: many }, (_, n) => ({ room: `r${n}`, name: `R${n}`, roomOwnerId: owner }));

test("an import is taken back as a whole: what it created goes, and what it changed is as before", async () => {
  const { ask, admin, id } = await world.tenant();
  await ask("createRoom", { room: "old", name: "Before", roomOwnerId: admin.id });
  const lines = [
    { room: "old", name: "Renamed", noOfViewers: 7 },
    { room: "new", name: "Made", roomOwnerId: admin.id, roomPassword: "sesame" },
  ];
  const { id: importId } = await upload(ask, { kind: "rooms", text: lines });
  await ask("confirmImport", { importId, mode: "possible" });
  const [confirmed] = await entriesOf(ask, { kind: "imported" });
  const early = await ask("undoChange", { number: confirmed?.number });
  assert.match(early.body.message, /Finish this import, or discard it/);
  const { entry } = await goOn(ask, importId);
  assert.equal(entry, confirmed?.number);
  const parts = (await entriesOf(ask, {})).filter(({ partOf }) => partOf === entry);
  assert.deepEqual(parts.map(({ kind }) => kind).sort(), ["roomCreated", "roomEdited"]);

  // Later changes are named, and nothing is taken back.
  await ask("editRoom", { room: "new", roomOwnerId: admin.id, name: "Used" });
  const changed = await ask("undoChange", { number: entry });
  assert.deepEqual(
    [changed.body.code, saidIn(changed.body.errors)],
    ["changed_since", [{ field: "new.name", message: 'name of "Made" is "Used" now.' }]],
  );
  assert.equal((await roomOf(ask, "old")).name, "Renamed");
  await ask("editRoom", {
    room: "new",
    roomOwnerId: admin.id,
    roomPassword: "other",
    name: "Made",
  });
  assert.match((await ask("undoChange", { number: entry })).body.errors[0].field, /roomPassword/);
  await ask("deleteRoom", { id: "new" });
  const gone = await ask("undoChange", { number: entry });
  assert.deepEqual(saidIn(gone.body.errors), [
    { field: "new.deleted", message: "new.deleted is true now." },
  ]);

  const again = await bring(ask, "rooms", [
    { room: "old", noOfViewers: 9 },
    { room: "second", name: "Second", roomOwnerId: admin.id },
  ]);
  const undone = await ask("undoChange", { number: again });
  const numbers = (await entriesOf(ask, {})).flatMap((one) =>
    one.partOf === again ? [one.number] : [],
  );
  assert.deepEqual(undone.body, { success: true, undone: numbers.sort(byNumber), left: 0 });
  assert.equal((await roomOf(ask, "old")).noOfViewers, 7);
  assert.equal((await ask("fetchRoom", { id: "second" })).status, 404);
  const [whole] = await entriesOf(ask, { kind: "takenBack" });
  assert.equal(whole?.undoes, again);
  // Without a recycle bin it was deleted permanently.
  const back = await ask("undoChange", { number: whole?.number });
  assert.match(back.body.message, /deleted permanently/);
  await checkCounters(world, id);
  await holds(id);
});

test("without a bin, people that an import created go without a trace, unless they are in use", async () => {
  const { ask, addPerson, id } = await world.tenant({ users: 4 });
  const ann = await addPerson(`ann@${id}.example.org`, { name: "Ann", role: "moderator" });
  const bea = { email: `bea@${id}.example.org`, name: "Bea Unmistakable", accountSuspended: true };
  const cleo = { email: `cleo@${id}.example.org`, name: "Cleo" };
  const lines = [{ id: ann.id, role: "panelist", accountDeleted: true }, bea, cleo];
  const entry = await bring(ask, "users", lines);
  const created = await entriesOf(ask, { kind: "userCreated" });
  const idOf = (name: string) => created.find(({ subject }) => subject.name === name)?.subject.id;
  const cleoId = idOf("Cleo") ?? "";
  await ask("createRoom", { room: "hers", name: "Hers", roomOwnerId: cleoId });
  const used = await ask("undoChange", { number: entry });
  assert.deepEqual(saidIn(used.body.errors), [
    { field: `${cleoId}.rooms`, message: 'rooms of "Cleo" is 1 now.' },
  ]);
  await ask("deleteRoom", { id: "hers" });
  // Entries in another organization's history do not count.
  const other = await world.tenant();
  await other.ask("createRoom", { room: "theirs", name: "Theirs", roomOwnerId: other.admin.id });
  await world.database.change((tx) =>
    tx
      .updateTable("history")
      .set({ actor_kind: "user", actor_id: cleoId })
      .where("organization_id", "=", other.id)
      .execute(),
  );
  assert.equal((await ask("undoChange", { number: entry })).status, 200);
  const people = (await ask("fetchUsers", {})).body.users as readonly { email: string }[];
  assert.ok(people.every(({ email }) => email !== bea.email && email !== cleo.email));
  const [back] = (await ask("findUsers", { userIds: [ann.id] })).body.users;
  assert.deepEqual([back.role, back.accountDeleted], ["moderator", false]);
  assert.ok(!(await ask("exportHistory", {})).text.includes(bea.name), "nothing tells of her");
  assert.equal((await checkCounters(world, id)).users, 2);
  await holds(id);
  // The file can be imported again.
  const again = await bring(ask, "users", lines);
  const { users } = (await ask("listUsers", { role: "moderator", search: cleo.email })).body;
  await ask("revokeUsers", [{ userId: users[0].id }]);
  await ask("deleteUsers", [users[0].id]);
  const gone = await ask("undoChange", { number: again });
  const field = `${users[0].id}.deleted`;
  assert.deepEqual(
    [gone.body.code, saidIn(gone.body.errors)],
    ["changed_since", [{ field, message: `${field} is true now.` }]],
  );
});

test("a large import is checked, taken back in pieces into the bin, and restored from there", async () => {
  const { ask, admin, id } = await world.tenant();
  await ask("editOrganization", { binDays: 7 });
  const entry = await bring(ask, "rooms", roomsFor(admin.id, 120));
  await ask("editRoom", { room: "r7", roomOwnerId: admin.id, noOfParticipants: 3 });
  const begun = await ask("undoChange", { number: entry });
  assert.deepEqual(begun.body, { success: true, undone: [], left: 120 });
  // As if the undo had reached it before that edit, and the page had then been closed: it is tried again.
  await world.database.change((tx) =>
    tx.updateTable("undoings").set({ reached: 1 }).where("organization_id", "=", id).execute(),
  );
  const refused = await undoWhole(ask, entry);
  assert.deepEqual(
    [refused.status, refused.body.code, saidIn(refused.body.errors)],
    [
      409,
      "changed_since",
      [{ field: "r7.noOfParticipants", message: 'noOfParticipants of "R7" is 3 now.' }],
    ],
  );
  assert.equal(await totalOf(ask), 120, "nothing is taken back");
  assert.equal((await ask("continueUndo", { number: entry })).body.code, "undo_not_begun");

  await ask("editRoom", { room: "r7", roomOwnerId: admin.id, noOfParticipants: 1 });
  const done = await undoWhole(ask, entry);
  const all = { state: "done", entries: 120, done: 120, stayed: 0, errors: [] };
  assert.deepEqual(done.body.undo, { number: entry, ...all });
  assert.equal(await totalOf(ask), 0);
  assert.equal((await ask("listBin", { limit: 1 })).body.pagination.total, 120);
  const [whole] = await entriesOf(ask, { kind: "takenBack" });
  assert.equal(whole?.undoes, entry);
  assert.equal((await undoWhole(ask, whole?.number)).body.undo.state, "done");
  assert.equal(await totalOf(ask), 120);
  assert.equal((await roomOf(ask, "r7")).name, "R7");

  const email = `ines@${id}.example.org`;
  const people = await bring(ask, "users", [{ email, name: "Ines", accountSuspended: true }]);
  const stateOf = async () => {
    const { users } = (await ask("listUsers", { role: "moderator", search: email })).body;
    return users.map((one: { accountSuspended: boolean }) => one.accountSuspended);
  };
  assert.equal((await ask("undoChange", { number: people })).status, 200);
  assert.deepEqual(await stateOf(), []);
  const [left] = await entriesOf(ask, { kind: "takenBack" });
  const returned = await ask("undoChange", { number: left?.number });
  assert.equal(returned.body.undone?.length, 2, returned.text);
  assert.deepEqual(await stateOf(), [true]);
  await checkCounters(world, id);
  await holds(id);
});

test("changes between the check and the undo stay, and are named", async () => {
  const { ask, admin, id } = await world.tenant();
  const entry = await bring(ask, "rooms", roomsFor(admin.id, 60));
  // A piece of 50 begins with r10, in the middle of the second of these changes.
  for (const [change_id, from] of Object.entries({ first: 0, second: 5, third: 13 })) {
    const rooms = Array.from({ length: 60 - from }, (_, n) => `r${from + n}`);
    await world.database.change((tx) =>
      tx
        .updateTable("history")
        .set({ change_id })
        .where("organization_id", "=", id)
        .where("kind", "=", "roomCreated")
        .where("subject_id", "in", rooms)
        .execute(),
    );
  }
  await ask("undoChange", { number: entry });
  await ask("editRoom", { room: "r7", roomOwnerId: admin.id, name: "Meanwhile" });
  // As if the check had come first.
  await world.database.change((tx) =>
    tx.updateTable("undoings").set({ state: "running", entry }).execute(),
  );
  const { undo } = (await undoWhole(ask, entry)).body;
  assert.deepEqual([undo.state, undo.done, undo.stayed], ["done", 60, 1]);
  assert.deepEqual(saidIn(undo.errors), [
    { field: "r7.name", message: 'name of "R7" is "Meanwhile" now.' },
  ]);
  assert.equal((await checkCounters(world, id)).rooms, 1);
  assert.equal((await roomOf(ask, "r7")).name, "Meanwhile");
  const pieces = new Map<string, number>();
  for (const { changeId } of await entriesOf(ask, { kind: "roomDeleted" }))
    pieces.set(changeId, (pieces.get(changeId) ?? 0) + 1);
  assert.deepEqual([...pieces.values()], [5, 54], "changes stay together");

  const isKept = async (): Promise<boolean> => {
    const rows = world.database.read.selectFrom("undoings").where("organization_id", "=", id);
    return (await rows.select("number").execute()).length > 0;
  };
  // A client that missed the last answer repeats its request.
  const repeated = await ask("continueUndo", { number: entry });
  assert.deepEqual(repeated.body.undo, { ...undo, errors: [] });
  assert.ok(await isKept());
  await world.database.change((tx) =>
    tx
      .updateTable("history")
      .set({ at: "2020-01-31T09:30:00.000Z" })
      .where("organization_id", "=", id)
      .execute(),
  );
  await ask("editOrganization", { historyDays: 30 });
  await until("it is forgotten with its entry", async () => !(await isKept()));
});

test("a hand-over of more rooms than one request handles is taken back as a whole", async () => {
  const tenant = await world.tenant();
  const { ask, addPerson, id } = tenant;
  const [ann, bob] = [
    await addPerson(`ann@${id}.example.org`),
    await addPerson(`bob@${id}.example.org`),
  ];
  await addRooms(tenant, 120, ["Owned"], [ann.id]);
  const owned = async (userFilter: string): Promise<number> =>
    (await ask("listRooms", { limit: 1, userFilter })).body.pagination.total;
  const { body } = await ask("handOverRooms", { userId: ann.id, heirs: [bob.id] });
  assert.deepEqual(body, { success: true, handedOver: 50, left: 70 });
  const [entry] = await entriesOf(ask, { kind: "roomsHandedOver" });
  assert.deepEqual(
    [entry?.subject.id, entry?.after],
    [ann.id, { rooms: 120, roomOwnerId: bob.id }],
  );
  await until("all rooms are handed over", async () => {
    const early = await ask("undoChange", { number: entry?.number });
    if (early.body.code === "undo_impossible") assert.match(early.body.message, /still being/);
    return early.status === 200;
  });
  assert.equal(await owned(bob.id), 120);
  const { undo } = (await undoWhole(ask, entry?.number)).body;
  assert.deepEqual([undo.entries, undo.done, undo.stayed], [120, 120, 0]);
  assert.deepEqual([await owned(ann.id), await owned(bob.id)], [120, 0]);
  assert.equal((await roomOf(ask, roomAt(119))).roomOwnerId, ann.id);
  await holds(id);
});
