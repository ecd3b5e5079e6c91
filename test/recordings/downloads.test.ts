// Runs: waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { MAKING, recordingsFolder } from "../../server/recordings/folder.ts";
import { removesOthersDownloads } from "../twins/keepers.ts";
import { testTwin } from "../twins/test-twin.ts";
import { filesBelow } from "../world/files.ts";
import { until } from "../world/process.ts";
import { PATIENCE, probe as probeFile, writeSegments } from "./files.ts";
import { addRecording, probe, SECONDS } from "./films.ts";
import { cookieOf, startLibrary } from "./library.ts";
import { setRecording } from "./rows.ts";
import { openHoldableFfmpeg } from "./wrapped-programs.ts";

const ffmpeg = openHoldableFfmpeg(test);
const library = await startLibrary(ffmpeg.environment);
const { world, tenant, room, add, folderOf, get } = library;
const { ask } = tenant;

test("a recording is downloaded as one MP4, which is made once", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-download-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const row = await add({ name: "Plan / 2026: Köln" });
  const download = async () => ask("downloadRecording", { recordingId: row.id });
  assert.equal((await download()).status, 202);
  await until("it is made", async () => (await download()).status === 200, PATIENCE);
  assert.ok(ffmpeg.hasRun(), "by the ffmpeg that FFMPEG names");
  const answer = await download();
  const { url, bytes } = answer.body.download;
  const file = await get(url, { cookie: cookieOf(answer) });
  assert.match(
    file.headers.get("content-disposition") ?? "",
    /^attachment; .*filename\*=UTF-8''Plan%20_%202026_%20K%C3%B6ln%20\d{4}-\d\d-\d\d\.mp4$/,
  );
  const path = join(folder, "film.mp4");
  writeFileSync(path, Buffer.from(await file.arrayBuffer()));
  assert.equal(readFileSync(path).length, bytes);
  const { seconds, streams } = probe(path);
  assert.deepEqual(streams, ["audio", "video"]);
  assert.ok(Math.abs(seconds - SECONDS) < 0.5, `${seconds}`);
  assert.ok(filesBelow(folderOf(row)).includes("download.mp4"));
  const { bytes: after } = (await ask("fetchRecording", { recordingId: row.id })).body.recording;
  assert.equal(after, (row.bytes ?? 0) + bytes);

  const mp4 = await add({ format: "mp4" });
  const atOnce = await ask("downloadRecording", { recordingId: mp4.id });
  assert.deepEqual([atOnce.status, atOnce.body.download.bytes], [200, mp4.bytes]);
});

test("each size of a recording is downloaded, under a name of its own", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-sizes-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const films = { hls: join(folder, "hls"), mp4: join(folder, "mp4") };
  cpSync(join(library.films.hls, "480p"), join(films.hls, "1080p"), { recursive: true });
  await writeSegments(join(films.hls, "480p"), 2);
  for (const size of ["1080p", "480p"]) {
    cpSync(join(library.films.mp4, "480p.mp4"), join(films.mp4, `${size}.mp4`));
  }
  const shelf = { ...world.config, change: tenant.change };
  const sizes = { name: "Sizes", resolutions: '["1080p","480p"]' };
  const row = await addRecording(shelf, films, room, sizes);
  const download = (resolution?: string, recordingId = row.id) =>
    ask("downloadRecording", { recordingId, ...(resolution && { resolution }) });
  // All are requested before the first of them is made.
  for (const size of ["480p", "1080p", undefined]) {
    assert.equal((await download(size)).status, 202);
  }
  const saved = async (size?: string) => {
    await until("it is made", async () => (await download(size)).status === 200, PATIENCE);
    const answer = await download(size);
    const file = await get(answer.body.download.url, { cookie: cookieOf(answer) });
    const path = join(folder, "film.mp4");
    writeFileSync(path, Buffer.from(await file.arrayBuffer()));
    const [, name] = /UTF-8''(.+)$/.exec(file.headers.get("content-disposition") ?? "") ?? [];
    return [name, (await probeFile(path)).height];
  };
  const named = `Sizes%20${row.started_at?.slice(0, 10)}`;
  assert.deepEqual(await saved("480p"), [`${named}%20480p.mp4`, 144]);
  assert.deepEqual(await saved("1080p"), [`${named}.mp4`, 360]);
  assert.deepEqual(await saved(), [`${named}.mp4`, 360]);
  const made = filesBelow(folderOf(row)).filter((name) => name.startsWith("download"));
  assert.deepEqual(made, ["download-480p.mp4", "download.mp4"]);
  assert.equal((await download("2160p")).body.code, "recording_size_missing");
  const wrong = await download("720p");
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, "resolution"]);

  const mp4 = await addRecording(shelf, films, room, { ...sizes, format: "mp4" });
  for (const size of ["1080p", "480p"]) {
    const { url } = (await download(size, mp4.id)).body.download;
    assert.equal(url, `/api/recording/media/${mp4.id}/${size}.mp4?download`);
  }
  // A recording whose smaller sizes are still being made from the largest.
  await setRecording(world.database, mp4.id, { complete: false, files: "[]" });
  assert.equal((await download("480p", mp4.id)).status, 202);
  const sound = await add({ type: "a", resolutions: "[]" });
  assert.equal((await download("480p", sound.id)).body.code, "recording_size_missing");
});

test("a failure is reported to requests that wait for the file, and not to later ones", async (t) => {
  const row = await add();
  const ask = () => tenant.ask("downloadRecording", { recordingId: row.id });
  const playlist = join(folderOf(row), "480p", "index.m3u8");
  rmSync(playlist);
  const failures = () =>
    world.log.filter((line) => line.includes(row.id) && line.includes("not made one file")).length;
  assert.equal((await ask()).status, 202);
  await until("it has failed", () => failures() === 1, PATIENCE);
  assert.equal((await ask()).body.code, "recordings_unavailable");
  assert.equal((await ask()).status, 202);
  await until("it has failed again", () => failures() === 2, PATIENCE);
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => now() + 60_000);
  cpSync(join(library.films.hls, "480p", "index.m3u8"), playlist);
  await until(
    "it is made",
    async () => {
      const { status } = await ask();
      assert.ok(status === 200 || status === 202, `${status}`);
      return status === 200;
    },
    PATIENCE,
  );
});

/** While a file is made, the remains of a killed process are removed, but not what is being made. */
const makesBesideLeft = async (
  { world: { config }, ...to }: typeof library,
  { hold, hasRun, goOn }: typeof ffmpeg,
): Promise<void> => {
  const download = (recordingId: string) => to.tenant.ask("downloadRecording", { recordingId });
  const [kept, deleted] = [await to.add(), await to.add()];
  hold();
  assert.equal((await download(kept.id)).status, 202);
  await until("it is being made", hasRun, PATIENCE);
  const left = join(recordingsFolder(config.dataDir), MAKING, uuid7(), kept.id);
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, "download.mp4"), "half of a film");
  await until("what was left is removed", () => !existsSync(left));
  assert.equal(to.making().length, 1, "what is being made stays");
  goOn();
  await until("it is made", async () => (await download(kept.id)).status === 200, PATIENCE);

  hold();
  assert.equal((await download(deleted.id)).status, 202);
  await until("it is being made", () => hasRun() && to.making().length === 1, PATIENCE);
  const { status } = await to.tenant.ask("deleteRecording", { recordingId: deleted.id });
  assert.equal(status, 200);
  await until("nothing of it is left", () => to.making().length === 0);
  goOn();
  assert.deepEqual(filesBelow(to.folderOf(deleted)), []);
};

test("leftovers of a killed process's download, and of a deleted recording, are removed", () =>
  makesBesideLeft(library, ffmpeg));

testTwin("a twin that removes another process's work is detected", async (t) => {
  const other = openHoldableFfmpeg(t);
  const twin = await startLibrary(other.environment, t, removesOthersDownloads);
  await assert.rejects(makesBesideLeft(twin, other), /what is being made stays/);
  other.goOn();
});
