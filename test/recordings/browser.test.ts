// Runs: sqlite, pictures
// Needs: browser, ffmpeg, store

import assert from "node:assert/strict";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { RecordingRecord } from "../../contract/recordings/record.ts";
import { SEGMENT_SECONDS } from "../../server/capture/ffmpeg.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { recordingPath } from "../../server/recordings/folder.ts";
import { type ConsoleService, startConsoleService } from "../console/service.ts";
import { smallDisk } from "../faults/small-disk.ts";
import { enter } from "../meetings/inside.ts";
import { leaveAll, startMeetings } from "../meetings/people.ts";
import { noStore } from "../run/store.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { complete, onlyComplete } from "../world/seed.ts";
import { decode, PATIENCE, probe } from "./files.ts";
import { completeIn, folderOf, segments } from "./recorders.ts";
import { recordingsIn } from "./rows.ts";
import { PREFIX, startS3 } from "./s3-server.ts";
import { openFragileChromium } from "./wrapped-programs.ts";

const chromium = openFragileChromium(test);
const meetings = await startMeetings({
  PATH: process.env.PATH ?? "",
  RECORDERS: "1",
  ...chromium.environment,
});
const { service } = meetings;

const recorded = {
  enableRecording: true,
  recordModerator: true,
  recordParticipant: true,
  recordingResolutions: ["480p" as const],
};

/** The largest size, in complete runs; a smaller one, which costs a third, in every run. */
const large = complete ? ("2160p" as const) : ("1080p" as const);

/** Waits until the newest recording of a room is in a state. */
const becomes = async (
  roomId: string,
  state: RecordingRecord["state"],
  at: ConsoleService = service,
): Promise<RecordingRow> => {
  let row: RecordingRow | undefined;
  await until(
    `it is ${state}`,
    async () => {
      row = (await recordingsIn(at, roomId)).at(-1);
      if (row?.state === "failed" && state !== "failed") throw new Error(`it failed: ${row.error}`);
      return row?.state === state;
    },
    PATIENCE,
  );
  assert.ok(row);
  return row;
};

/**
 * A recording plays from a file, at least as long as the segments that were complete, and its stored length
 * is right within two seconds.
 */
const plays = async (row: RecordingRow, file: string, complete: number) => {
  const found = await probe(file);
  const least = complete * SEGMENT_SECONDS - 1;
  assert.ok(found.seconds >= least, `${found.seconds} s of ${least} s`);
  assert.ok(
    Math.abs(found.seconds - (row.seconds ?? 0)) <= 2,
    `${found.seconds}, not ${row.seconds}`,
  );
  assert.equal(await decode(file), "");
  return found;
};

test("a moderator records a meeting, everybody sees it, and it plays in each format and strategy", async () => {
  const settings = { ...recorded, roomType: "p2p", recordingFormat: "mp4" };
  const { room, path } = await meetings.room(settings);
  const mo = await meetings.enter(path, "Mo", { asAdministrator: true });
  const record = async () => {
    await mo.button("More").click();
    await mo.page.getByRole("menuitem", { name: "Record the meeting" }).click();
  };
  chromium.damage();
  for (const _ of ["the first time", "again"]) {
    await record();
    await mo.page.getByText("The meeting could not be recorded.").waitFor();
    assert.equal((await becomes(room, "failed")).error, "capture_failed");
    await mo.button("OK").click();
  }
  chromium.mend();
  await record();
  const row = await becomes(room, "active");
  await mo.page.getByText("This meeting is being recorded.", { exact: true }).first().waitFor();
  await mo.page.getByRole("log").getByText("The meeting is being recorded.").first().waitFor();
  const ann = await meetings.open(path);
  await ann.page.getByText(/being recorded\. You may be seen/).waitFor();
  await segments(service.dataDir, row, 2);
  const complete = completeIn(service.dataDir, row);
  await mo.button("More").click();
  await mo.page.getByRole("menuitem", { name: "Stop recording" }).click();
  await mo.page.getByText(/Hosts of the room find it in Parley under Recordings/).waitFor();
  const ready = await becomes(room, "ready");
  assert.deepEqual(
    [ready.format, ready.error, ready.started_by_name],
    ["mp4", null, "Administrator"],
  );
  const video = await plays(ready, join(folderOf(service.dataDir, ready), "480p.mp4"), complete);
  assert.deepEqual([video.codecs, video.height], [["aac", "h264"], 480]);
  await mo.page.getByText("Recorded", { exact: true }).waitFor({ state: "detached" });

  // The next recording: sound only, in segments; it ends when the room no longer allows recording.
  const edit = (changes: object) =>
    service.client.editRoom({ room, roomOwnerId: service.adminId, ...changes });
  await edit({ recordingFormat: "hls", recordingStrategy: "mergedA" });
  await service.client.startRecording({ roomId: room });
  const next = await becomes(room, "active");
  await segments(service.dataDir, next, 1);
  const heard = completeIn(service.dataDir, next);
  await edit({ enableRecording: false });
  const sound = await becomes(room, "ready");
  assert.deepEqual([sound.type, sound.format, sound.resolutions], ["a", "hls", "[]"]);
  const played = await plays(sound, join(folderOf(service.dataDir, sound), "index.m3u8"), heard);
  assert.deepEqual(played.codecs, ["aac"]);
  await leaveAll(mo, ann);
});

test("on a full disk a recording ends and plays, and none begins; a room deleted while recorded leaves nothing, here or in the store", async (t) => {
  const disk = await smallDisk(t, "96m");
  if (disk === undefined) return t.skip("no file system may be mounted here");
  const s3 = noStore ? undefined : await startS3(t);
  const small = await startConsoleService({
    PATH: process.env.PATH ?? "",
    RECORDING_FREE_MB: "24",
    RECORDERS: "1",
    DATA_DIR: join(disk, "data"),
    ...s3?.environment,
  });
  t.after(() => small.stop());
  const { client, dataDir } = small;
  const { room } = (await client.createRoom({ name: "R", roomOwnerId: small.adminId, ...recorded }))
    .roomSetting;
  const { email, password } = small.admin;
  const { token } = await client.signIn({ login: email, password });
  const place = { url: small.url, ask: askAs(small.url, token) };
  const mo = await enter(t, place, room, { peerName: "Mo" });
  const start = async (): Promise<RecordingRow> => {
    await client.startRecording({ roomId: room });
    const row = await becomes(room, "active", small);
    await segments(dataDir, row, 1);
    return row;
  };
  const whole = completeIn(dataDir, await start());
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(statfsSync(disk).bavail * statfsSync(disk).bsize - 20e6));
  const ended = await becomes(room, "ready", small);
  assert.equal(ended.error, "disk_full");
  if (s3 === undefined) await plays(ended, join(folderOf(dataDir, ended), "index.m3u8"), whole);
  else {
    await until("it is in the store", async () =>
      (await recordingsIn(small, room)).some(({ store }) => store === "s3"),
    );
    await plays(ended, s3.fileOf(`${PREFIX}${recordingPath(ended)}/index.m3u8`), whole);
  }
  await client.startRecording({ roomId: room });
  assert.equal((await becomes(room, "failed", small)).error, "disk_full");
  rmSync(filler);

  const last = await start();
  const [organization] = await readdir(join(dataDir, "recordings"));
  assert.equal(organization, last.organization_id);
  await client.deleteRoom({ id: room });
  // People inside may finish; the recording ends at once.
  await mo.do("leave", {});
  await until("no file and no row is left", async () => {
    const folders = await readdir(join(dataDir, "recordings"));
    const rows = await small.change(({ tx }) =>
      Promise.all(
        (["recordings", "erasures"] as const).map((table) =>
          tx.selectFrom(table).select("id").execute(),
        ),
      ),
    );
    const isEmpty = folders.length === 0 && rows.flat().length === 0;
    return isEmpty && (s3?.keys() ?? []).length === 0;
  });
});

test("AmergedAV records by itself, even if the recorder could not start at first; the next capture waits for the recorder and says for which one, and both end with their meetings", {
  skip: onlyComplete,
}, async () => {
  const settings = { ...recorded, recordingStrategy: "AmergedAV", enableLiveStreaming: true };
  const [one, two] = [
    await meetings.room(settings),
    await meetings.room({ ...settings, recordingResolutions: [large] }),
  ];
  chromium.damage();
  const mo = await meetings.enter(one.path, "Mo", { asAdministrator: true });
  await mo.page.getByText("The recording could not start. Parley is trying again").waitFor();
  chromium.mend();
  const begun = await becomes(one.room, "active");
  await segments(service.dataDir, begun, 1);
  await service.client.startStream({ roomId: one.room });
  const waits = mo.page.getByText(/as soon as a recorder is free\. This meeting's recording uses/);
  await waits.waitFor();
  await mo.button("Do not stream").click();
  await waits.waitFor({ state: "detached" });
  const mia = await meetings.enter(two.path, "Mia", { asAdministrator: true });
  await mia.page.getByText(/begins as soon as a recorder is free/).waitFor();
  const complete = completeIn(service.dataDir, begun);
  await mo.button("Leave").click();
  const first = await becomes(one.room, "ready");
  assert.deepEqual([first.automatic, first.error, first.format], [true, null, "hls"]);
  const found = await plays(first, join(folderOf(service.dataDir, first), "index.m3u8"), complete);
  assert.deepEqual(found.codecs, ["aac", "h264"]);
  await segments(service.dataDir, await becomes(two.room, "active"), 1);
  await mia.button("Leave").click();
  const other = await becomes(two.room, "ready");
  assert.equal(other.error, null);
  const playlist = join(folderOf(service.dataDir, other), "index.m3u8");
  const { codecs, height } = await probe(playlist);
  assert.deepEqual([codecs, height], [["aac", "h264"], Number.parseInt(large, 10)]);
  assert.equal(await decode(playlist), "");
});
