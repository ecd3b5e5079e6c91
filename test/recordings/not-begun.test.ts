// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { CaptureEnd } from "../../server/capture/capture.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { openHold } from "../../server/recordings/hold.ts";
import type * as Module from "../../server/recordings/make.ts";
import { makeRecording } from "../../server/recordings/make.ts";
import { openSettler } from "../../server/recordings/settle.ts";
import { hangsMkdir, waitsForDisk } from "../twins/recordings.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { leave } from "./left.ts";
import { addRecorder, recordingsOf } from "./rows.ts";

test("if no folder can be created for a recording, or the disk is full, it fails at once", async (t) => {
  const { tenant, folder, stateOf, database, parts } = await leave(t);
  await addRecorder(database);
  /** Creates a recording whose capture cannot be written anywhere. */
  const fail = async (leastFree: number, spoil: (row: RecordingRow) => void) => {
    const { recordingId: id } = (await tenant.ask("startRecording", { roomId: "r" })).body
      .recording;
    const hold = openHold(database, "a process");
    const row = await hold.takeQueued({ id, organization_id: tenant.id });
    assert.ok(row);
    spoil(row);
    const own = { ...parts, leastFree, hold };
    const stopping = new AbortController().signal;
    const settler = openSettler({ ...own, ffmpeg: () => undefined, stopping });
    const captures = { start: () => assert.fail("It captures nothing.") };
    await makeRecording({ ...own, captures, settler }, row).done;
    const { state, error, process } = await stateOf(row);
    assert.equal(existsSync(folder(row)), false);
    return [state, error, process];
  };
  const full = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(await fail(full, () => {}), ["failed", "disk_full", null]);
  const spoil = (row: RecordingRow): void => {
    mkdirSync(join(folder(row), "../.."), { recursive: true });
    writeFileSync(join(folder(row), ".."), "no folder");
  };
  assert.deepEqual(await fail(0, spoil), ["failed", "capture_failed", null]);
});

test("a recording whose start cannot be written to the database ends, and continues in a new one", async (t) => {
  const { tenant, stateOf, database, parts } = await leave(t);
  await addRecorder(database);
  const { recording } = (await tenant.ask("startRecording", { roomId: "r" })).body;
  const hold = openHold(database, "a process");
  const row = await hold.takeQueued({ id: recording.recordingId, organization_id: tenant.id });
  assert.ok(row);
  let isStopped = false;
  // Only for the first change.
  const away: typeof hold = {
    ...hold,
    set: (...change) =>
      isStopped ? hold.set(...change) : Promise.reject(new Error("The database is away.")),
  };
  const settler = { settle: async () => {}, discard: async () => {} };
  const stop = async () => {
    isStopped = true;
    return { how: "stopped" } as const;
  };
  const never = new Promise<never>(() => {});
  const captures = { start: async () => ({ ending: never, stop, ended: never }) };
  const own = { ...parts, leastFree: 0, hold: away };
  await makeRecording({ ...own, captures, settler }, row).done;
  assert.ok(isStopped);
  const { state, error } = await stateOf(row);
  assert.deepEqual([state, error], ["ending", "interrupted"]);
  const next = (await recordingsOf(database, tenant.id)).find(({ id }) => id !== row.id);
  assert.equal(next?.state, "queued", "the meeting is recorded further at once");
});

test("a recording that a person ends while its ffmpeg hangs is interrupted, and does not continue", async (t) => {
  const { tenant, stateOf, database, parts } = await leave(t);
  await addRecorder(database);
  const { recording } = (await tenant.ask("startRecording", { roomId: "r" })).body;
  const hold = openHold(database, "a process");
  const row = await hold.takeQueued({ id: recording.recordingId, organization_id: tenant.id });
  assert.ok(row);
  const settler = { settle: async () => {}, discard: async () => {} };
  const ended = Promise.withResolvers<CaptureEnd>();
  const stop = () => {
    ended.resolve({ how: "failed", code: "writer_failed" });
    return ended.promise;
  };
  const never = new Promise<never>(() => {});
  const captures = { start: async () => ({ ending: never, stop, ended: ended.promise }) };
  const making = makeRecording({ ...parts, leastFree: 0, hold, captures, settler }, row);
  await until("it is recorded", async () => (await stateOf(row)).state === "active");
  await tenant.ask("stopRecording", { roomId: "r" });
  making.end(null);
  await making.done;
  const { state, error } = await stateOf(row);
  assert.deepEqual([state, error], ["ending", "interrupted"]);
  assert.equal((await recordingsOf(database, tenant.id)).length, 1);
});

/** Two recordings are begun; the disk never makes the folder of the first one. */
const hang = async (t: TestContext, twin: Twin, patience?: number): Promise<void> => {
  const { left, stateOf, folder, database, parts, asAdmin, tenant } = await leave(t);
  await asAdmin("createRoom", { name: "S", room: "s", roomOwnerId: tenant.admin.id });
  const rooms = await database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", tenant.id)
    .execute();
  const { makeRecording } = await importFrom<typeof Module>(twin, "recordings/make.ts");
  const hold = openHold(database, "a process");
  const stopping = new AbortController().signal;
  const own = { ...parts, leastFree: 0, hold, ffmpeg: () => undefined, stopping };
  const settler = openSettler(own);
  const ended = Promise.withResolvers<CaptureEnd>();
  const stop = () => {
    ended.resolve({ how: "stopped" });
    return ended.promise;
  };
  const never = new Promise<never>(() => {});
  const captures = { start: async () => ({ ending: never, stop, ended: ended.promise }) };
  const begin = async (name: string, room_id: string | undefined) => {
    const begun = { state: "starting", started_at: null, process: "a process" } as const;
    const row = await left({ ...begun, name, ...(room_id && { room_id }) });
    return { row, making: makeRecording({ ...own, captures, settler }, row) };
  };
  const good = await begin("good", rooms[0]?.id);
  await until("it is recorded", async () => (await stateOf(good.row)).state === "active");
  const hung = await begin("hung", rooms[1]?.id);
  good.making.end(null);
  await good.making.done;
  assert.equal((await stateOf(good.row)).error, "not_begun", "it had nothing to play");
  await until("it fails", async () => (await stateOf(hung.row)).state === "failed", patience);
  await hung.making.done;
  const { error, process } = await stateOf(hung.row);
  assert.deepEqual([error, process], ["capture_failed", null]);
  assert.equal(existsSync(folder(hung.row)), false);
};

test("a recording whose disk makes no folder fails, and another one ends meanwhile", (t) =>
  hang(t, hangsMkdir));

testTwin("a twin that waits for its disk is detected", async (t) => {
  await assert.rejects(hang(t, waitsForDisk, 20_000), /in vain: it fails/);
});
