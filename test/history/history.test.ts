// Runs: postgres-first

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { upload } from "../imports/importing.ts";
import { addRecordingRow } from "../recordings/rows.ts";
import { entriesApart } from "../twins/entries.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld, type World } from "../world/world.ts";

const world = await startWorld(test);

const entriesOf = async (ask: Ask, wanted: object = {}): Promise<HistoryEntry[]> =>
  (await ask("listHistory", { limit: 1000, ...wanted })).body.entries;

const verified = (id: string) => verifyHistory(openOrganization(world.database, id, operator));

/** An entry's content, without its number, its time and who acted. */
const contentOf = ({ kind, subject, before, after }: HistoryEntry) => ({
  kind,
  of: subject.id,
  before,
  after,
});

test("every change of a room is an entry with the values before and after", async () => {
  const { ask, admin, id, change } = await world.tenant();
  const secrets = { roomPassword: "sesame-open", liveStreamUrl: "rtmp://live.test/app/sesame-key" };
  const camera = "rtsp://sesame:sesame@camera.test/";
  const settings = { name: "Board", roomOwnerId: admin.id, ...secrets };
  const { room } = (await ask("createRoom", settings)).body.roomSetting;
  await ask("editRoom", { room, roomOwnerId: admin.id, noOfParticipants: 7, name: "Council" });
  await ask("editRoom", {
    room,
    roomOwnerId: admin.id,
    roomPassword: "another-one",
    liveStreamUrl: "rtmp://sesame@live.test/app?key=sesame",
    ipCamUrl: [camera],
    ipCamAdderess1: camera,
    ipAdderess2: camera,
  });
  await ask("getRoomLink", { roomId: room, renew: true });
  const recording = await change((begun) => addRecordingRow(begun, room));
  await ask("renameRecording", { recordingId: recording, name: "March" });
  const { link } = (await ask("createRecordingLink", { recordingId: recording })).body;
  await ask("revokeRecordingLink", { linkId: link.linkId });
  await ask("createRoom", { name: "Another", roomOwnerId: admin.id });
  await ask("deleteRoom", { id: room });
  const entries = await entriesOf(ask, { subjectId: room });
  const [deleted, renewed, concealed, edited, created] = entries;
  assert.equal(entries.length, 5);
  assert.deepEqual(created && contentOf(created), {
    kind: "roomCreated",
    of: room,
    before: null,
    after: {
      ...created?.after,
      name: "Board",
      roomOwnerId: admin.id,
      roomPassword: "(set)",
      liveStreamUrl: "(set)",
    },
  });
  assert.deepEqual(edited && contentOf(edited), {
    kind: "roomEdited",
    of: room,
    before: { name: "Board", noOfParticipants: 1 },
    after: { name: "Council", noOfParticipants: 7 },
  });
  assert.deepEqual(concealed && contentOf(concealed), {
    kind: "roomEdited",
    of: room,
    before: {
      roomPassword: "(set)",
      liveStreamUrl: "(set)",
      ipCamUrl: [],
      ipCamAdderess1: null,
      ipAdderess2: null,
    },
    after: {
      roomPassword: "(set)",
      liveStreamUrl: "(set)",
      ipCamUrl: "(set)",
      ipCamAdderess1: "(set)",
      ipAdderess2: "(set)",
    },
  });
  assert.equal(renewed?.kind, "roomLinkRenewed");
  assert.deepEqual([deleted?.kind, deleted?.after], ["roomDeleted", null]);
  assert.equal(deleted?.before?.name, "Council");
  const [gone] = await entriesOf(ask, { subjectId: recording });
  assert.deepEqual([gone?.kind, gone?.changeId], ["recordingDeleted", deleted?.changeId]);
  // Entries about the room's recordings and their links are found by the room too.
  const ofRoom = await entriesOf(ask, { roomId: room });
  assert.deepEqual(
    ofRoom.map(({ kind }) => kind),
    [
      "recordingDeleted",
      "roomDeleted",
      "recordingUnshared",
      "recordingShared",
      "recordingEdited",
      "roomLinkRenewed",
      "roomEdited",
      "roomEdited",
      "roomCreated",
    ],
  );
  assert.ok(ofRoom.every(({ subject }) => subject.roomId === room));
  assert.ok(!JSON.stringify(ofRoom).match(/sesame|another-one/));
  assert.equal((await verified(id)).broken, null);
});

test("every change of a person and of an access key is an entry", async () => {
  const { ask, tokenOf, admin } = await world.tenant();
  const email = `history-${admin.id}@example.org`;
  const person = { email, name: "Ann", role: "moderator", loginUrl: "https://example.org/" };
  const { id } = (await ask("createUser", person)).body.user;
  await ask("editUser", { userId: id, name: "Anna" });
  await ask("suspendRestoreUser", { userId: id, action: "suspend" });
  // Changes nothing, so it makes no entry.
  await ask("suspendRestoreUser", { userId: id, action: "suspend" });
  await ask("suspendRestoreUser", { userId: id, action: "restore" });
  await ask("resetPassword", { userId: id });
  await ask("revokeUsers", [{ userId: id }]);
  await ask("reactivateUser", { userId: id });
  assert.deepEqual(
    (await entriesOf(ask, { subjectId: id })).reverse().map(contentOf),
    [
      {
        kind: "userCreated",
        before: null,
        after: {
          email,
          name: "Ann",
          admin: false,
          meetNowEnabled: false,
          tags: [],
          displayRating: false,
          location: null,
          role: "moderator",
        },
      },
      { kind: "userEdited", before: { name: "Ann" }, after: { name: "Anna" } },
      {
        kind: "userSuspended",
        before: { accountSuspended: false },
        after: { accountSuspended: true },
      },
      {
        kind: "userRestored",
        before: { accountSuspended: true },
        after: { accountSuspended: false },
      },
      { kind: "passwordReset", before: null, after: null },
      { kind: "userRevoked", before: { accountDeleted: false }, after: { accountDeleted: true } },
      {
        kind: "userReactivated",
        before: { accountDeleted: true, accountSuspended: false },
        after: { accountDeleted: false, accountSuspended: false },
      },
    ].map((one) => ({ ...one, of: id })),
  );
  const byAdmin = askAs(world.url, await tokenOf(admin.id));
  const { accessKey } = (await byAdmin("createAccessKey", {})).body.accessKey;
  await byAdmin("removeAccessKey", { id: accessKey });
  const [removed, created] = await entriesOf(ask, { actorId: admin.id });
  assert.deepEqual([created?.kind, removed?.kind], ["accessKeyCreated", "accessKeyRemoved"]);
  assert.deepEqual([created?.subject.id, removed?.subject.id], [accessKey, accessKey]);
  assert.deepEqual(removed?.actor, {
    kind: "user",
    id: admin.id,
    name: admin.name,
    address: "127.0.0.1",
  });
});

/** Changes that are refused, and one that is rolled back at its end, leave no entry. */
const refuse = async (at: World): Promise<void> => {
  const { ask, admin } = await at.tenant();
  const { length } = await entriesOf(ask);
  await ask("createRoom", { name: "Taken", room: "once", roomOwnerId: admin.id });
  await ask("createRoom", { name: "Taken", room: "once", roomOwnerId: admin.id });
  await ask("editRoom", { room: "unknown", roomOwnerId: admin.id });
  await ask("revokeUsers", [{ userId: "unknown" }]);
  const checked = await upload(ask, {
    kind: "rooms",
    text: [{ name: "Checked", roomOwnerId: admin.id }],
  });
  assert.equal(checked.plan.create, 1);
  await ask("createRoom", { name: "Last", roomOwnerId: admin.id });
  const names = (await entriesOf(ask)).slice(0, -length).map(({ subject }) => subject.name);
  assert.deepEqual(names, ["Last", "Taken"]);
};

test("a refused change makes no entry", () => refuse(world));

testTwin("a twin that writes entries apart from their changes is detected", async (t) => {
  await assert.rejects(refuse(await startWorld(t, { twin: entriesApart })), {
    code: "ERR_ASSERTION",
  });
});

test("sign-ins are entries, even refused ones, and never contain the password", async () => {
  const { ask } = await world.tenant();
  const person = { email: "sign-in@example.org", name: "Ann", role: "moderator" };
  const loginUrl = "https://example.org/";
  const { user, password } = (await ask("createUser", { ...person, loginUrl })).body;
  await world.open("signIn", { login: person.email, password: "not-the-password-1" });
  const { token } = (await world.open("signIn", { login: person.email, password })).body;
  await askAs(world.url, token)("signOut", {});
  const kinds = "signedIn,signInRefused,signedOut";
  // The entry of a refused sign-in is written after its answer.
  await until(
    "all of them are entries",
    async () => (await entriesOf(ask, { subjectId: user.id, kind: kinds })).length === 3,
  );
  const entries = await entriesOf(ask, { subjectId: user.id, kind: kinds });
  const refused = entries.find(({ kind }) => kind === "signInRefused");
  assert.deepEqual(entries.map(({ kind }) => kind).sort(), [
    "signInRefused",
    "signedIn",
    "signedOut",
  ]);
  assert.deepEqual(refused?.after, { reason: "wrong_login" });
  assert.deepEqual([refused?.actor.kind, refused?.actor.address], ["anyone", "127.0.0.1"]);
  assert.ok(!JSON.stringify(entries).includes("not-the-password"));
});

test("throttled tries make one entry, not one each", async () => {
  const { ask, id } = await world.tenant();
  const email = `throttled@${id}.example.org`;
  const loginUrl = "https://example.org/";
  const { user } = (await ask("createUser", { email, name: "Ann", loginUrl })).body;
  const tries = async () => {
    const wrong = { login: email, password: "not-the-password-1" };
    const all = await Promise.all(Array.from({ length: 12 }, () => world.open("signIn", wrong)));
    return all.filter(({ status }) => status === 401).length;
  };
  const looked = (await tries()) + (await tries());
  const refused = async () => entriesOf(ask, { subjectId: user.id, kind: "signInRefused" });
  await until("all of them are entries", async () => (await refused()).length > looked);
  const reasons = (await refused()).map(({ after }) => after?.reason);
  assert.deepEqual(
    reasons.filter((one) => one !== "wrong_login"),
    ["too_many_requests"],
  );
});

test("entries are found by kind, time, person and part of a name, within the organization only", async () => {
  const { ask, admin } = await world.tenant();
  const { ask: others } = await world.tenant();
  await others("createRoom", { name: "Zebra of others" });
  for (const name of ["Zebra one", "Giraffe", "zebra two"]) {
    await ask("createRoom", { name, roomOwnerId: admin.id });
  }
  const found = async (wanted: object) =>
    (await entriesOf(ask, wanted)).map(({ subject }) => subject.name);
  assert.deepEqual(await found({ search: "ZEBRA" }), ["zebra two", "Zebra one"]);
  assert.deepEqual(await found({ kind: "roomDeleted,roomEdited" }), []);
  const [newest] = await entriesOf(ask);
  assert.deepEqual(await found({ from: newest?.at }), ["zebra two"]);
  assert.ok(!(await found({ to: newest?.at })).includes("zebra two"));
  const later = new Date(Date.parse(newest?.at ?? "") + 3_600_000).toISOString();
  const east = later.replace("Z", "+01:00");
  assert.deepEqual(await found({ from: east }), ["zebra two"]);
  const bogus = await ask("listHistory", { kind: "roomCreated,bogus" });
  assert.match(bogus.body.message, /^kind\[1\] must be one of roomCreated, /);
  const backwards = { from: "2026-01-02T00:00:00+01:00", to: "2026-01-01T22:59:59Z" };
  for (const list of ["listHistory", "exportHistory", "listMeetings", "listRecordings"] as const) {
    const { status, body } = await ask(list, backwards);
    const message = "from must not be later than to";
    assert.deepEqual(
      [list, status, saidIn(body.errors)],
      [list, 400, [{ field: "from", message }]],
    );
  }
  const page = (await ask("listHistory", { page: 2, limit: 1, kind: "roomCreated" })).body;
  assert.deepEqual(page.pagination, { page: 2, limit: 1, total: 3, totalPages: 3 });
  assert.equal(page.entries[0].subject.name, "Giraffe");
});

test("the entries of concurrent changes are numbered without gaps, and the chain is valid", async () => {
  const { ask, askAt, admin, id } = await world.tenant();
  const url = await world.second();
  const made = Array.from({ length: 40 }, (_, n) =>
    (n % 2 ? ask : askAt(url))("createRoom", { name: `Room ${n}`, roomOwnerId: admin.id }),
  );
  assert.ok((await Promise.all(made)).every(({ status }) => status === 201));
  const entries = await entriesOf(ask);
  assert.deepEqual(
    entries.map(({ number }) => number),
    entries.map((_, at) => entries.length - at),
  );
  const { broken, entries: checked } = await verified(id);
  assert.deepEqual([broken, checked], [null, entries.length]);
});

test("an entry that is altered, removed or added behind the service's back is detected", async () => {
  const alter = world.database.change;
  const broken = async (damage: (id: string) => Promise<unknown>) => {
    const { ask, id, admin } = await world.tenant();
    for (const name of ["a", "b", "c"]) await ask("createRoom", { name, roomOwnerId: admin.id });
    assert.equal((await verified(id)).broken, null);
    await damage(id);
    return (await verified(id)).broken?.what;
  };
  const entry = (id: string, number: number) => ({ organization_id: id, number });
  const set = (facts: object, number: number) => (id: string) =>
    alter((tx) =>
      tx
        .updateTable("history")
        .set(facts)
        .where((eb) => eb.and(entry(id, number)))
        .execute(),
    );
  const remove = (number: number) => (id: string) =>
    alter((tx) =>
      tx
        .deleteFrom("history")
        .where((eb) => eb.and(entry(id, number)))
        .execute(),
    );
  assert.equal(await broken(set({ kind: "roomEdited" }, 4)), "the entry was altered");
  assert.equal(await broken(set({ facts: "{}" }, 4)), "what happened was altered");
  assert.equal(await broken(set({ who: "{}" }, 3)), "who acted was altered");
  assert.equal(await broken(set({ room: "another" }, 4)), "the room was altered");
  // Nobody was deleted, so nothing was erased.
  assert.equal(await broken(set({ who: null, facts: null }, 4)), "who acted was altered");
  assert.equal(
    await broken(set({ facts: null, subject_key: null }, 4)),
    "what happened was altered",
  );
  assert.equal(await broken(remove(4)), "entries before this one are missing");
  assert.equal(await broken(remove(6)), "the last entries are missing");
});
