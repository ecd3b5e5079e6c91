import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { failure, value } from "../cli/run.ts";
import { upload } from "../imports/importing.ts";
import { letterIn } from "../letters/mailbox.ts";
import { askAs, bearer } from "../world/ask.ts";
import { addHeldMeeting } from "../world/held.ts";
import { until } from "../world/process.ts";
import { tracesOf } from "../world/traces.ts";
import { unzip } from "../world/unzip.ts";
import { startWorld } from "../world/world.ts";
import { create, revoke, signIn } from "./people.ts";

/* Downloads: one person's data, and a whole organization, which is then deleted without a trace. */

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });

/** More than two of the pieces in which the service reads them. */
const MANY = 60;
/** So many rooms go into the bin that SQLite moves entries of indexes, and leaves copies of them in its pages. */
const BINNED = 30;

/** An organization with a person who owns rooms and was in meetings, and what happened there. */
const furnish = async () => {
  const tenant = await world.tenant();
  const { ask, id, admin, change } = tenant;
  const ann = await create(ask, { name: "Ann Takeout", email: `ann@${id}.example.org` });
  await letterIn(ask, ann.id, "sent");
  await ask("editUser", { userId: ann.id, admin: true });
  const token = await signIn(world.open, ann.username, ann.password);
  const renamed = { userId: admin.id, name: "Somebody Else", location: "Elsewhere" };
  assert.equal((await askAs(world.url, token)("editUser", renamed)).status, 200);
  const secrets = { roomPassword: "sesame-of-the-room", liveStreamKey: "key-of-the-stream" };
  const made = { roomOwnerId: `${admin.id},${ann.id}`, ...secrets };
  for (let room = -BINNED; room < MANY; room += 1) {
    await ask("createRoom", { name: `Room ${room} of ${id}`, room: `room-${room}`, ...made });
  }
  await ask("createRoom", { name: "Of another", room: "other", roomOwnerId: admin.id });
  // Each in a separate change, because one change may take only a few seconds.
  for (let meeting = 0; meeting < MANY; meeting += 1) {
    const at = new Date(Date.now() - meeting * 60_000);
    const held = { organizationId: id, room: "room-0", meetingId: `${id}-${meeting}`, at };
    await change(({ tx }) => addHeldMeeting(tx, { ...held, userId: ann.id, name: "Ann Takeout" }));
  }
  await change(async ({ tx }) => {
    const room = tx.selectFrom("rooms").select("id").where("organization_id", "=", id);
    const { id: room_id } = await room.where("room", "=", "room-0").executeTakeFirstOrThrow();
    const ban = { id: `${id}-ban`, organization_id: id, room_id, meeting_id: null };
    await tx
      .insertInto("bans")
      .values({ ...ban, person: "guest:0123", created_at: new Date().toISOString() })
      .execute();
    const others = { meetingId: `${id}-other`, userId: admin.id, name: "Administrator" };
    await addHeldMeeting(tx, { organizationId: id, room: "other", at: new Date(), ...others });
    // Where nobody let Ann in.
    const [seat] = await tx
      .selectFrom("seats")
      .selectAll()
      .where("meeting_id", "=", `${id}-other`)
      .execute();
    assert.ok(seat);
    const waited = { id: `${id}-waited`, ticket_digest: `${id}-waited`, peer_name: "Ann Waited" };
    const anns = { person: `user:${ann.id}`, user_id: ann.id, joined_at: null, reason: "refused" };
    await tx
      .insertInto("seats")
      .values({ ...seat, ...waited, ...anns })
      .execute();
  });
  await ask("getRoomLink", { roomId: "room-0" });
  await ask("editOrganization", { binDays: 7 });
  await ask("createRoom", { name: "Binned", room: "binned", ...made });
  await change(async ({ tx }) => {
    const held = { organizationId: id, room: "binned", meetingId: `${id}-binned` };
    await addHeldMeeting(tx, { ...held, userId: admin.id, name: "Administrator", at: new Date() });
    const link = { id: `${id}-link`, digest: `digest-${id}`, recording_id: `${id}-0-recording` };
    const at = new Date().toISOString();
    const until = { created_at: at, expires_at: at, revoked_at: null };
    const links = tx.insertInto("recording_links");
    await links.values({ ...link, ...until, organization_id: id, created_by: ann.id }).execute();
  });
  const early = Array.from({ length: BINNED }, (_, n) => `room-${n - BINNED}`);
  await ask("binRooms", { rooms: ["binned", ...early] });
  // No receiver listens at its address, so its deliveries wait.
  const hook = { url: `http://127.0.0.1:9/${id}`, events: ["userEdited"] };
  const { webhook } = (await ask("createWebhook", hook)).body;
  await ask("editUser", { userId: ann.id, location: "Here" }, { "idempotency-key": `once-${id}` });
  await upload(ask, { kind: "users", text: [{ email: `line@${id}.example.org`, name: "Line" }] });
  return { ...tenant, ann, annsToken: token, webhookSecret: String(webhook.secret) };
};

const mine = await furnish();
const others = await furnish();

test("one person's data is one file with everything known about them, and no secret", async () => {
  const { id, ask, ann, admin, annsToken, accessKey } = mine;
  const fields = { email: ann.email, name: ann.name, location: "Imported" };
  const another = { id: admin.id, email: ann.email, name: "Somebody Else" };
  const owners = { name: "Imported room", roomOwnerId: `${ann.email}, ${admin.email}` };
  for (const [kind, text] of [
    ["users", [fields, { email: "nobody@example.org", name: "Elsewhere" }]],
    ["users", [another]],
    ["rooms", [owners]],
  ] as const) {
    await upload(ask, { kind, text });
  }
  const file = await ask("exportUser", { userId: ann.id });
  assert.equal(file.headers.get("content-disposition"), 'attachment; filename="person.json"');
  const data = JSON.parse(file.text);
  assert.deepEqual(Object.keys(data), [
    "account",
    "rooms",
    "meetings",
    "messages",
    "said",
    "recordings",
    "recordingLinks",
    "emails",
    "sessions",
    "invitations",
    "bans",
    "imports",
    "passkeys",
    "providerLinks",
    "directory",
    "historyBy",
    "historyAbout",
  ]);
  assert.deepEqual(
    [data.account.email, data.account.username, data.account.location],
    [ann.email, ann.username, "Here"],
  );
  // One meeting more than they were in.
  const counts = { rooms: 0, meetings: 1, messages: 0, said: 0, recordings: 0 };
  for (const [name, more] of Object.entries(counts)) {
    assert.equal(data[name].length, MANY + more, name);
    // Each once.
    const different = new Set(data[name].map((one: object) => JSON.stringify(one)));
    assert.equal(different.size, MANY + more, name);
  }
  const [waited, ...waits] = data.meetings.filter(
    ({ joinedAt }: { readonly joinedAt: string | null }) => joinedAt === null,
  );
  assert.deepEqual([waited.roomId, waited.peerName, waits], ["other", "Ann Waited", []]);
  assert.match(waited.cameAt, /^\d{4}-/);
  const lines = data.imports.map(
    ({ importId: _, createdAt: __, ...line }: Readonly<Record<string, unknown>>) => line,
  );
  const unnamed = { file: "", line: 1, outcome: null };
  const changes = { before: { location: "Here" }, after: { location: "Imported" } };
  assert.deepEqual(lines, [
    {
      ...unnamed,
      kind: "users",
      plan: "change",
      name: ann.email,
      given: fields,
      reason: null,
      changes,
    },
    // Other data in another person's line, or a room's, is not theirs.
    { ...unnamed, kind: "users", plan: "refuse" },
    { ...unnamed, kind: "rooms", plan: "create" },
  ]);
  assert.deepEqual([data.emails.length, data.emails[0].recipient], [1, ann.email]);
  assert.ok(data.sessions.length >= 1);
  assert.equal(data.recordingLinks[0].recordingId, `${id}-0-recording`);
  const listed = await ask("listHistory", { subjectId: ann.id });
  const [newest] = listed.body.entries;
  assert.deepEqual([newest.kind, newest.actor.id], ["userExported", accessKey.accessKey]);
  assert.equal(data.historyAbout.length, listed.body.pagination.total);
  assert.deepEqual(
    data.historyBy.map(({ kind }: { readonly kind: string }) => kind),
    ["userEdited", "signedIn"],
  );
  const [edited, signedIn] = data.historyBy;
  assert.deepEqual(edited.subject, { kind: "user", id: admin.id });
  assert.deepEqual([edited.actor.name, signedIn.subject.name], [ann.name, ann.name]);
  for (const secret of [
    annsToken,
    ann.password,
    "sesame",
    "key-of-the-stream",
    "digest",
    admin.email,
    "Somebody Else",
    "Elsewhere",
  ]) {
    assert.ok(!file.text.includes(secret), secret);
  }
  const unknown = await ask("exportUser", { userId: others.ann.id });
  assert.deepEqual([unknown.status, unknown.body.code], [404, "user_not_found"]);
});

test("a room with the same ID as a person is not in the person's file", async () => {
  const { ask, admin } = await world.tenant();
  const { id } = await create(ask);
  await ask("createRoom", { room: id, name: "Not theirs", roomOwnerId: admin.id });
  const { historyAbout } = JSON.parse((await ask("exportUser", { userId: id })).text);
  const kinds = historyAbout.map(({ kind }: { readonly kind: string }) => kind);
  assert.deepEqual(kinds, ["userExported", "userCreated"]);
  assert.equal((await ask("listHistory", { personId: id })).body.entries.length, 2);
  assert.equal((await ask("listHistory", { subjectId: id })).body.entries.length, 3);
});

test("a file about a person in the bin is available until they are gone", async () => {
  const { ask } = await world.tenant();
  await ask("editOrganization", { binDays: 7 });
  const { id, email } = await create(ask);
  await revoke(ask, id);
  assert.equal((await ask("binUsers", { userIds: [id] })).status, 200);
  const { account } = JSON.parse((await ask("exportUser", { userId: id })).text);
  assert.deepEqual([account.id, account.email], [id, email]);
  assert.equal((await ask("deleteFromBin", { id })).status, 200);
  assert.equal((await ask("exportUser", { userId: id })).status, 404);
});

/** The records of each file of the archive. */
const recordsIn = (zip: Buffer) =>
  Object.fromEntries(
    [...unzip(zip)]
      .filter(([name]) => name.endsWith(".jsonl"))
      .map(([name, text]) => [
        name.replace(".jsonl", ""),
        text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ]),
  );

test("a whole organization is exported as one archive, with no data of another one and no secret", async () => {
  const { id, ask, annsToken, ann, accessKey, webhookSecret } = mine;
  const file = join(world.config.dataDir, "organization.zip");
  const printed = await value(world.environment, "org", "export", mine.name, file);
  assert.deepEqual([printed.name, printed.file], [mine.name, file]);
  const exporting = (path: string) =>
    failure(1, world.environment, "org", "export", mine.name, path);
  assert.match(await exporting(file), /exists already/);
  assert.match(await exporting(world.config.dataDir), /is a folder: give the name of a file/);
  const response = await fetch(`${world.url}/api/organization/export`, {
    headers: bearer(mine.token),
  });
  assert.equal(response.headers.get("content-type"), "application/zip");
  const [written, sent] = [
    recordsIn(await readFile(file)),
    recordsIn(Buffer.from(await response.arrayBuffer())),
  ];
  // Each has an entry in the history, where the second deletion finds the first.
  const [second, first, ...earlier] = sent.history ?? [];
  assert.deepEqual({ ...sent, history: [first, ...earlier] }, written);
  assert.deepEqual(
    [first, second].map(({ kind, actor }) => [kind, actor.kind]),
    [
      ["organizationExported", "operator"],
      ["organizationExported", "accessKey"],
    ],
  );
  assert.deepEqual(
    Object.entries(sent).map(([name, records]) => [name, records?.length]),
    [
      ["organization", 1],
      ["people", 2],
      ["access-keys", 1],
      ["rooms", MANY + BINNED + 2],
      ["links", 1],
      ["schedules", 0],
      ["invitees", 0],
      ["bans", 1],
      ["meetings", MANY + 2],
      ["usage", 0],
      ["transcripts", MANY + 2],
      ["chat", MANY + 2],
      ["recordings", MANY + 2],
      ["recording-links", 1],
      ["emails", 1],
      ["webhooks", 1],
      ["providers", 0],
      ["provider-links", 0],
      ["directory", 0],
      ["bin", BINNED + 1],
      ["history", (await ask("listHistory", {})).body.pagination.total],
    ],
  );
  const room = sent.rooms?.find((one) => one.room === "room-7");
  const { roomSetting } = (await ask("fetchRoom", { id: "room-7" })).body;
  assert.deepEqual({ ...room, ...roomSetting }, room);
  assert.deepEqual([room?.roomPassword, room?.inBin], ["sesame-of-the-room", false]);
  const binned = sent.rooms?.find((one) => one.room === "binned");
  assert.deepEqual([binned?.roomPassword, binned?.inBin], ["sesame-of-the-room", true]);
  assert.ok(sent.recordings?.some(({ roomId }) => roomId === "binned"));
  assert.equal(sent.meetings?.[0]?.attendance.length, 1);
  const text = JSON.stringify(sent);
  assert.match(webhookSecret, /^whsec_/);
  const secrets = [annsToken, ann.password, accessKey.secretAccessKey, webhookSecret];
  for (const secret of [...secrets, "whsec_", "digest", others.id]) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.ok(text.includes(id));
});

test("org delete leaves nothing of an organization in any table or file", async () => {
  const { id, ann, environment } = { ...others, environment: world.environment };
  // If their folder is missing, it could be on another machine: then their rows wait for that machine.
  const rows = await world.database.read.selectFrom("recordings").selectAll().execute();
  for (const row of rows) {
    const folder = join(recordingsFolder(world.config.dataDir), recordingPath(row));
    await mkdir(folder, { recursive: true });
  }
  for (const word of [id, ann.email]) assert.notDeepEqual(await tracesOf(world, word), [], word);
  for (const table of ["webhooks", "deliveries", "import_lines", "recording_links"]) {
    assert.ok((await tracesOf(world, id)).includes(`table ${table}`), table);
  }
  const { recordings } = await value(environment, "org", "delete", others.name, "--yes");
  assert.equal(recordings, MANY + 2);
  const left = async () => [...(await tracesOf(world, id)), ...(await tracesOf(world, ann.email))];
  // SQLite empties its log once nobody uses the database.
  await until("nothing is left", async () => {
    await mine.ask("editOrganization", {});
    return (await left()).length === 0;
  }).catch(async (error: unknown) => assert.fail(`${error}: ${await left()}`));
  assert.notDeepEqual(await tracesOf(world, mine.id), []);
  assert.equal((await askAs(world.url, mine.token)("exportUser", { userId: ann.id })).status, 404);
});
