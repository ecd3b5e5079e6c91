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
import { uuid7 } from "../../server/id.ts";
import { MAKING, recordingsFolder } from "../../server/recordings/folder.ts";
import { removesOthersDownloads } from "../twins/keepers.ts";
import { testTwin } from "../twins/test-twin.ts";
import { bearer } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { PATIENCE, probe as probeFile, writeSegments } from "./files.ts";
import { addRecording, filesBelow, probe, SECONDS } from "./films.ts";
import { openGate } from "./gate.ts";
import { codeOf, cookieOf, startLibrary } from "./library.ts";
import { setRecording } from "./rows.ts";

const gate = openGate(test);
const library = await startLibrary(gate.environment);
const { world, tenant, room, add, folderOf, get, open } = library;
const { ask, admin } = tenant;

test("every file of a recording is read with its cookie, and only with it", async () => {
  const row = await add();
  const other = await add();
  const { url, cookie, answer } = await open(row.id);
  const home = `/api/recording/media/${row.id}`;
  assert.equal(url, `${home}/index.m3u8`);
  assert.ok(answer.headers.getSetCookie()[0]?.includes(`Path=${home}`));
  for (const { name, bytes } of JSON.parse(row.files ?? "[]")) {
    const file = await get(`${home}/${name}`, { cookie });
    const body = Buffer.from(await file.arrayBuffer());
    assert.deepEqual(
      [file.status, body.length, file.headers.get("content-length")],
      [200, bytes, `${bytes}`],
    );
    assert.ok(body.equals(readFileSync(join(folderOf(row), name))), name);
    assert.equal(file.headers.get("x-content-type-options"), "nosniff");
  }
  const types = await Promise.all(
    ["index.m3u8", "480p/init.mp4", "480p/0.m4s"].map(async (name) =>
      (await get(`${home}/${name}`, { cookie }, "HEAD")).headers.get("content-type"),
    ),
  );
  assert.deepEqual(types, ["application/vnd.apple.mpegurl", "video/mp4", "video/iso.segment"]);

  assert.equal(await codeOf(await get(url)), "401 media_ended");
  assert.equal(await codeOf(await get(url, { cookie: `${cookie}x` })), "401 media_ended");
  assert.equal(await codeOf(await get(url, bearer(tenant.token))), "401 media_ended");
  const value = cookie.split("=")[1];
  assert.equal(await codeOf(await get(`${url}?token=${value}`)), "401 media_ended");
  // The cookie of one recording gives access to no other, and to no operation.
  const elsewhere = `/api/recording/media/${other.id}/index.m3u8`;
  assert.equal(await codeOf(await get(elsewhere, { cookie })), "401 media_ended");
  const token = value?.replace(/^token\./, "") ?? "";
  assert.equal((await ask("listRecordings", {}, bearer(token))).status, 401);
  for (const name of ["../index.m3u8", "..%2findex.m3u8", "%2e%2e/%2e%2e/parley.db", "none.mp4"]) {
    const { status } = await get(`${home}/${name}`, { cookie });
    assert.ok(status === 404 || status === 401, `${name}: ${status}`);
  }
});

test("a playlist is served in its current state, even if smaller sizes are added while somebody watches", async () => {
  const row = await add();
  const { url, cookie } = await open(row.id);
  const file = join(folderOf(row), "index.m3u8");
  const later = `${readFileSync(file, "utf8")}#EXT-X-STREAM-INF:BANDWIDTH=1\n240p/index.m3u8\n`;
  writeFileSync(file, later);
  const answer = await get(url, { cookie });
  assert.equal(await answer.text(), later);
  assert.equal(answer.headers.get("cache-control"), "private, no-cache");
});

test("a file is answered exactly: any range of bytes, nothing that the browser has, and its lack as such", async () => {
  const row = await add({ format: "mp4" });
  const { url, cookie } = await open(row.id);
  const whole = readFileSync(join(folderOf(row), "480p.mp4"));
  const size = whole.length;
  const ask = async (range: string, more: Readonly<Record<string, string>> = {}) => {
    const answer = await get(url, { cookie, range, ...more });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, body, range: answer.headers.get("content-range") };
  };
  for (const [range, from, to] of [
    ["bytes=0-0", 0, 1],
    ["bytes=100-199", 100, 200],
    [`bytes=${size - 5}-`, size - 5, size],
    ["bytes=-7", size - 7, size],
    [`bytes=10-${size * 2}`, 10, size],
    [`bytes=-${size * 2}`, 0, size],
  ] as const) {
    const answer = await ask(range);
    assert.equal(answer.status, 206, range);
    assert.equal(answer.range, `bytes ${from}-${to - 1}/${size}`, range);
    assert.ok(answer.body.equals(whole.subarray(from, to)), range);
  }
  for (const range of [`bytes=${size}-`, "bytes=-0"]) {
    const answer = await ask(range);
    assert.deepEqual([answer.status, answer.range], [416, `bytes */${size}`], range);
  }
  for (const range of ["bytes=5-1", "bytes=0-1,4-5", "lines=1-2", "bytes=-", "bytes=a-b"]) {
    assert.deepEqual([(await ask(range)).status, (await ask(range)).body.length], [200, size]);
  }
  const changed = await ask("bytes=0-9", { "if-range": '"another"' });
  assert.deepEqual([changed.status, changed.body.length], [200, size]);
  const { headers } = await get(url, { cookie }, "HEAD");
  assert.equal(headers.get("cache-control"), "private, no-cache");
  const known = { "if-none-match": headers.get("etag") ?? "" };
  assert.equal((await get(url, { cookie, ...known })).status, 304);
  assert.equal(await codeOf(await get(url, known)), "401 media_ended");
  rmSync(join(folderOf(row), "480p.mp4"));
  const gone = await get(url, { cookie });
  assert.deepEqual([gone.status, gone.headers.get("etag")], [404, null]);
});

test("a cookie ends with the right to the recording: sign-out, suspension, ownership, deletion", async () => {
  const row = await add();
  const owner = await tenant.addPerson("owner@example.org");
  const own = { room, roomOwnerId: `${admin.id},${owner.id}` };
  assert.equal((await ask("editRoom", own)).status, 200);
  const begin = async () => {
    const token = await tenant.tokenOf(owner.id);
    const opened = await open(row.id, token);
    assert.equal((await get(opened.url, { cookie: opened.cookie })).status, 200);
    return { ...opened, token };
  };
  const isOver = async ({ url, cookie }: { readonly url: string; readonly cookie: string }) =>
    assert.equal(await codeOf(await get(url, { cookie })), "401 media_ended");

  const first = await begin();
  await ask("signOut", {}, bearer(first.token));
  await isOver(first);
  const second = await begin();
  await ask("suspendRestoreUser", { action: "suspend", userId: owner.id });
  await isOver(second);
  await ask("suspendRestoreUser", { action: "restore", userId: owner.id });
  const third = await begin();
  await ask("editRoom", { ...own, roomOwnerId: admin.id });
  await isOver(third);
  await ask("editRoom", own);
  const fourth = await begin();
  await world.database.change((tx) =>
    tx
      .updateTable("tokens")
      .set({ expires_at: new Date(0).toISOString() })
      .where("purpose", "=", "media")
      .execute(),
  );
  await isOver(fourth);
  const fifth = await begin();
  assert.equal((await ask("deleteRecording", { recordingId: row.id })).status, 200);
  await isOver(fifth);
});

test("a recording is downloaded as one MP4 that is made once", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-download-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const row = await add({ name: "Plan / 2026: Köln" });
  const download = async () => ask("downloadRecording", { recordingId: row.id });
  assert.equal((await download()).status, 202);
  await until("it is made", async () => (await download()).status === 200, PATIENCE);
  assert.ok(gate.hasRun(), "by the ffmpeg that FFMPEG names");
  const answer = await download();
  const { url, bytes } = answer.body.download;
  const file = await get(url, { cookie: cookieOf(answer) });
  assert.match(
    file.headers.get("content-disposition") ?? "",
    /^attachment; .*filename\*=UTF-8''Plan%20_%202026_%20K%C3%B6ln\.mp4$/,
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
  assert.deepEqual(await saved("480p"), ["Sizes%20480p.mp4", 144]);
  assert.deepEqual(await saved("1080p"), ["Sizes.mp4", 360]);
  assert.deepEqual(await saved(), ["Sizes.mp4", 360]);
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

test("a failure is reported to people who wait for the file, and not to later requests", async (t) => {
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
  { hold, hasRun, goOn }: typeof gate,
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

test("the remains of a killed process's download are removed, and so are those of a deleted recording", () =>
  makesBesideLeft(library, gate));

testTwin("a twin that removes what others are making is detected", async (t) => {
  const other = openGate(t);
  const twin = await startLibrary(other.environment, t, removesOthersDownloads);
  await assert.rejects(makesBesideLeft(twin, other), /what is being made stays/);
  other.goOn();
});
