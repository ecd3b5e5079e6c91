// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRoom as contract } from "../../contract/rooms/rooms.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import { value } from "../cli/run.ts";
import { bearer } from "../world/ask.ts";
import { filesBelow } from "../world/files.ts";
import { openHouse } from "../world/house.ts";
import { until } from "../world/process.ts";
import { addRecording } from "./films.ts";
import { startLibrary } from "./library.ts";

const { world, films, tenant, newRoom, add, folderOf } = await startLibrary();
const { ask } = tenant;

test("the list is filtered by room, person, state, time and name, in pages", async () => {
  const mine = await world.tenant();
  const owner = await mine.addPerson("owner@list.example.org");
  const make = async (name: string, roomOwnerId: string): Promise<string> =>
    (await mine.ask("createRoom", { name, roomOwnerId })).body.roomSetting.room;
  const [first, second] = [await make("Alpha", mine.admin.id), await make("Beta", owner.id)];
  const put = (name: string, to: string, day: number, state: "ready" | "failed" = "ready") => {
    const at = `2026-03-0${day}T10:00:00.000Z`;
    const times = { requested_at: at, started_at: at, ended_at: at };
    return addRecording({ ...world.config, change: mine.change }, films, to, {
      name,
      state,
      ...times,
    });
  };
  await put("Kickoff 100%", first, 1);
  await put("ΣΩΣ Review", first, 2, "failed");
  await put("Retro", second, 3);
  const names = async (input: object, token?: string): Promise<string[]> => {
    const { body, text } = await mine.ask("listRecordings", input, token ? bearer(token) : {});
    assert.equal(body.pagination?.total >= body.recordings?.length, true, text);
    return body.recordings.map(({ name }: { readonly name: string }) => name);
  };
  assert.deepEqual(await names({}), ["Retro", "ΣΩΣ Review", "Kickoff 100%"]);
  assert.deepEqual(await names({ roomId: first }), ["ΣΩΣ Review", "Kickoff 100%"]);
  assert.deepEqual(await names({ userFilter: owner.id }), ["Retro"]);
  assert.deepEqual(await names({ state: "failed" }), ["ΣΩΣ Review"]);
  assert.deepEqual(await names({ from: "2026-03-02T12:00:00+02:00" }), ["Retro", "ΣΩΣ Review"]);
  assert.deepEqual(await names({ to: "2026-03-02T10:00:00Z" }), ["Kickoff 100%"]);
  assert.deepEqual(await names({ search: "0%" }), ["Kickoff 100%"]);
  assert.deepEqual(await names({ search: "σως" }), ["ΣΩΣ Review"]);
  assert.deepEqual(await names({ search: "beta" }), ["Retro"]);
  assert.deepEqual(await names({ limit: 2, page: 2 }), ["Kickoff 100%"]);
  assert.deepEqual(await names({ page: 9 }), []);
  const token = await mine.tokenOf(owner.id);
  assert.deepEqual(await names({}, token), ["Retro"], "an owner sees those of own rooms");
  assert.deepEqual(await names({ userFilter: mine.admin.id }, token), []);
});

test("a recording is renamed, and deleted with its files and links, but not while it is made", async () => {
  const lonely = await newRoom();
  const row = await add({}, lonely);
  const recordingId = row.id;
  const renamed = await ask("renameRecording", { recordingId, name: "Board, March" });
  assert.equal(renamed.body.recording.name, "Board, March");
  assert.equal((await ask("listRecordings", { search: "board, m" })).body.recordings.length, 1);
  const blank = await ask("renameRecording", { recordingId, name: " " });
  assert.equal(blank.body.errors[0].field, "name");

  const running = await add({ state: "active", files: null, bytes: null });
  for (const [id, code] of [
    ["openRecording", "recording_not_ready"],
    ["downloadRecording", "recording_not_ready"],
    ["createRecordingLink", "recording_not_ready"],
    ["deleteRecording", "recording_running"],
  ] as const) {
    assert.equal((await ask(id, { recordingId: running.id })).body.code, code, id);
  }

  await ask("createRecordingLink", { recordingId });
  assert.equal((await ask("deleteRecording", { recordingId })).status, 200);
  await until("its files are erased", () => filesBelow(folderOf(row)).length === 0);
  const count = async (table: "recordings" | "recording_links", column: string): Promise<number> =>
    (
      await world.database.read
        .selectFrom(table)
        .select("id")
        .where(column as "id", "=", recordingId)
        .execute()
    ).length;
  assert.deepEqual(
    [await count("recordings", "id"), await count("recording_links", "recording_id")],
    [0, 0],
  );
  assert.equal((await ask("fetchRecording", { recordingId })).body.code, "recording_not_found");
});

test("a deleted room takes its recordings with it: rows, links and files", async () => {
  const doomed = await newRoom("Doomed");
  const rows = [await add({}, doomed), await add({ format: "mp4" }, doomed)];
  const bystander = await add();
  for (const { id } of rows) await ask("createRecordingLink", { recordingId: id });
  assert.equal((await ask("deleteRoom", { id: doomed })).status, 200);
  for (const row of rows) {
    await until("its files are erased", () => filesBelow(folderOf(row)).length === 0);
    assert.equal(
      (await ask("fetchRecording", { recordingId: row.id })).body.code,
      "recording_not_found",
    );
  }
  const left = await world.database.read
    .selectFrom("recording_links")
    .select("id")
    .where(
      "recording_id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  assert.deepEqual(left, []);
  await until("nothing is left to erase", async () => {
    const { body } = await ask("getOrganization");
    return body.organization.recordings.erasing === 0;
  });
  assert.ok(filesBelow(folderOf(bystander)).length > 0, "other rooms keep theirs");
});

test("recordings and transcripts older than the organization's retention are removed, and no others", async () => {
  const mine = await world.tenant();
  const made = await mine.ask("createRoom", { name: "Room", roomOwnerId: mine.admin.id });
  const to = made.body.roomSetting.room;
  const agedBy = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    const times = { requested_at: at, started_at: at, ended_at: at };
    return addRecording({ ...world.config, change: mine.change }, films, to, times);
  };
  const [old, young] = [await agedBy(31), await agedBy(29)];
  for (const { organization_id, room_id, meeting_id, started_at } of [old, young]) {
    const at = started_at ?? "";
    const said = { text: "Good morning", text_key: "good morning" };
    await mine.change(({ tx }) =>
      tx
        .insertInto("captions")
        .values({
          organization_id,
          room_id,
          meeting_id,
          number: 1,
          started_at: at,
          ended_at: at,
          seat_id: uuid7(),
          role: "moderator",
          peer_name: "Ann",
          ...said,
        })
        .execute(),
    );
  }
  const said = async ({ meeting_id: meetingId }: RecordingRow): Promise<number> =>
    (await mine.ask("getTranscript", { meetingId })).body.transcript.spoken.length;
  assert.deepEqual([await said(old), await said(young)], [1, 1]);
  const { organization } = (await mine.ask("getOrganization")).body;
  assert.equal(organization.settings.recordingDays, null);
  assert.deepEqual(organization.recordings, {
    count: 2,
    bytes: (old.bytes ?? 0) + (young.bytes ?? 0),
    waiting: 0,
    erasing: 0,
  });
  for (const recordingDays of [0, 1.5, 4000, "30"]) {
    const refused = await mine.ask("editOrganization", { recordingDays });
    assert.equal(refused.body.errors[0].field, "recordingDays");
  }
  const edited = await mine.ask("editOrganization", { recordingDays: 30 });
  assert.equal(edited.body.settings.recordingDays, 30);
  const there = async (recordingId: string): Promise<boolean> =>
    (await mine.ask("fetchRecording", { recordingId })).status === 200;
  await until("the old one is gone", async () => !(await there(old.id)));
  const { entries } = (await mine.ask("listHistory", { roomId: to, limit: 1 })).body;
  assert.deepEqual(
    [entries[0]?.kind, entries[0]?.subject.id, entries[0]?.actor.kind],
    ["recordingDeleted", old.id, "service"],
  );
  await until("its files are erased", () => filesBelow(folderOf(old)).length === 0);
  assert.ok(await there(young.id));
  assert.ok(filesBelow(folderOf(young)).length > 0);
  await until("what was said then is gone", async () => (await said(old)) === 0);
  assert.equal(await said(young), 1);
  const off = await mine.ask("editOrganization", { recordingDays: null });
  assert.equal(off.body.settings.recordingDays, null);
});

test("a backup has the rows of recordings and not their files, and a restore reports how they differ", async (t) => {
  const house = await openHouse(t);
  const file = join(house.environment.DATA_DIR ?? "", "backup.db");
  const added = (name: string) =>
    house.beside(async ({ config, database }) => {
      const { id } = await database.read
        .selectFrom("organizations")
        .select("id")
        .executeTakeFirstOrThrow();
      const { change } = openOrganization(database, id, operator);
      return addRecording({ ...config, change }, films, "1", { name });
    });
  await house.beside(async (beside) => {
    const { change, admin } = await beside.tenant();
    const wanted = { name: "Room", room: "1", roomOwnerId: admin.id };
    await change((begun) => createRoom(begun, contract.input.parse(wanted)));
  });
  const [kept, lost] = [await added("Kept"), await added("Lost")];
  const made = await value(house.environment, "backup", file);
  assert.equal(made.rows.recordings, 2);
  await added("Made after the backup");
  const root = recordingsFolder(house.environment.DATA_DIR ?? "");
  rmSync(join(root, recordingPath(lost)), { recursive: true });
  const restored = await value(house.environment, "restore", file, "--force", "--yes");
  assert.deepEqual(restored.recordings, { missing: 1, unknown: 1 });
  assert.ok(filesBelow(join(root, recordingPath(kept))).length > 0);
  const rows = await house.beside(({ database }) =>
    database.read.selectFrom("recordings").select("id").orderBy("id").execute(),
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    [kept.id, lost.id],
    "rows without files stay",
  );
});

test("a deleted organization leaves no files of recordings", async () => {
  const mine = await world.tenant();
  const made = await mine.ask("createRoom", { name: "Room", roomOwnerId: mine.admin.id });
  const to = made.body.roomSetting.room;
  const shelf = { ...world.config, change: mine.change };
  const row = await addRecording(shelf, films, to);
  assert.ok(filesBelow(folderOf(row)).length > 0);
  const gone = await value(world.environment, "org", "delete", mine.id, "--yes");
  assert.equal(gone.recordings, 1);
  await until("its files are erased", () => filesBelow(folderOf(row)).length === 0);
});
