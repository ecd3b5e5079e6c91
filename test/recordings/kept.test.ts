import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { bearer } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { addRecording, filesBelow, makeFilms, probe, SECONDS } from "./films.ts";

const world = await startWorld(test);
const films = makeFilms(test);
const tenant = await world.tenant();
const { ask, admin } = tenant;

const newRoom = async (name = "Room", owner = admin.id): Promise<string> =>
  (await ask("createRoom", { name, roomOwnerId: owner })).body.roomSetting.room;
const room = await newRoom("Weekly meeting");
const add = (facts: Parameters<typeof addRecording>[4] = {}, to = room) =>
  addRecording(world, films, tenant, to, facts);
const folderOf = (row: Parameters<typeof recordingPath>[0]): string =>
  join(recordingsFolder(world.config.dataDir), recordingPath(row));

/** The cookie that an answer sets, as a browser sends it back. */
const cookieOf = ({ headers }: { readonly headers: Headers }): string => {
  const [cookie = ""] = headers.getSetCookie();
  assert.match(cookie, /; HttpOnly; SameSite=Strict/);
  return cookie.split(";")[0] ?? "";
};
/** Opens a recording. @returns the address of what plays, and the cookie */
const open = async (recordingId: string, token?: string) => {
  const answer = await ask("openRecording", { recordingId }, token ? bearer(token) : {});
  assert.equal(answer.status, 200, answer.text);
  return { url: answer.body.media.url as string, cookie: cookieOf(answer), answer };
};
const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  fetch(world.url + path, { headers, method });
const codeOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { readonly code: string }).code}`;

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
  // The cookie of one recording opens no other, and no operation.
  const elsewhere = `/api/recording/media/${other.id}/index.m3u8`;
  assert.equal(await codeOf(await get(elsewhere, { cookie })), "401 media_ended");
  const token = value?.replace(/^token\./, "") ?? "";
  assert.equal((await ask("listRecordings", {}, bearer(token))).status, 401);
  for (const name of ["../index.m3u8", "..%2findex.m3u8", "%2e%2e/%2e%2e/parley.db", "none.mp4"]) {
    const { status } = await get(`${home}/${name}`, { cookie });
    assert.ok(status === 404 || status === 401, `${name}: ${status}`);
  }
});

test("a range of bytes is answered as it was asked for", async () => {
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
  await until("it is made", async () => (await download()).status === 200);
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

test("a link plays its recording without signing in, until it ends or is revoked", async () => {
  const row = await add({ name: "For our guests" });
  const recordingId = row.id;
  const made = await ask("createRecordingLink", { recordingId, days: 3 });
  assert.equal(made.status, 201, made.text);
  const { url, linkId, expiresAt } = made.body.link;
  const [, code = ""] = /\/r\/([\w-]{43})$/.exec(url) ?? assert.fail(url);
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  assert.ok(days > 2.9 && days <= 3, `${days}`);
  const stored = await world.database.read.selectFrom("recording_links").selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(code), "only the digest is stored");

  const opened = await world.open("openRecordingLink", { code });
  assert.equal(opened.body.recording.name, "For our guests");
  const cookie = cookieOf(opened);
  const { media } = opened.body.recording;
  assert.equal((await get(media.url, { cookie })).status, 200);
  const { links } = (await ask("listRecordingLinks", { recordingId })).body;
  assert.deepEqual(
    links.map((link: { readonly linkId: string }) => link.linkId),
    [linkId],
  );

  assert.equal((await ask("revokeRecordingLink", { linkId })).status, 200);
  assert.equal(await codeOf(await get(media.url, { cookie })), "401 media_ended");
  assert.equal((await world.open("openRecordingLink", { code })).body.code, "link_ended");
  const unknown = await world.open("openRecordingLink", { code: `${code.slice(1)}x` });
  assert.equal(unknown.body.code, "recording_link_not_found");

  const second = (await ask("createRecordingLink", { recordingId })).body.link;
  const secondCode = second.url.split("/r/")[1];
  const again = cookieOf(await world.open("openRecordingLink", { code: secondCode }));
  await world.database.change((tx) =>
    tx
      .updateTable("recording_links")
      .set({ expires_at: new Date(0).toISOString() })
      .where("id", "=", second.linkId)
      .execute(),
  );
  assert.equal(await codeOf(await get(media.url, { cookie: again })), "401 media_ended");
  assert.equal(
    (await world.open("openRecordingLink", { code: secondCode })).body.code,
    "link_ended",
  );
});

test("the list is filtered by room, person, state, time and name, in pages", async () => {
  const mine = await world.tenant();
  const owner = await mine.addPerson("owner@list.example.org");
  const make = async (name: string, roomOwnerId: string): Promise<string> =>
    (await mine.ask("createRoom", { name, roomOwnerId })).body.roomSetting.room;
  const [first, second] = [await make("Alpha", mine.admin.id), await make("Beta", owner.id)];
  const put = (name: string, to: string, day: number, state: "ready" | "failed" = "ready") => {
    const at = `2026-03-0${day}T10:00:00.000Z`;
    const times = { requested_at: at, started_at: at, ended_at: at };
    return addRecording(world, films, mine, to, { name, state, ...times });
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
  assert.deepEqual([await count("recordings", "id"), await count("recording_links", "recording_id")], [0, 0]);
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
    const waiting = await world.database.read.selectFrom("erasures").selectAll().execute();
    return waiting.length === 0;
  });
  assert.ok(filesBelow(folderOf(bystander)).length > 0, "other rooms keep theirs");
});

test("recordings that are older than the organization keeps them go, and no others", async () => {
  const mine = await world.tenant();
  const made = await mine.ask("createRoom", { name: "Room", roomOwnerId: mine.admin.id });
  const to = made.body.roomSetting.room;
  const agedBy = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    const times = { requested_at: at, started_at: at, ended_at: at };
    return addRecording(world, films, mine, to, times);
  };
  const [old, young] = [await agedBy(31), await agedBy(29)];
  const { organization } = (await mine.ask("getOrganization")).body;
  assert.deepEqual(organization.settings, { recordingDays: null });
  assert.deepEqual(organization.recordings, {
    ...{ count: 2, bytes: (old.bytes ?? 0) + (young.bytes ?? 0), waiting: 0, erasing: 0 },
  });
  for (const recordingDays of [0, 1.5, 4000, "30"]) {
    const refused = await mine.ask("editOrganization", { recordingDays });
    assert.equal(refused.body.errors[0].field, "recordingDays");
  }
  const edited = await mine.ask("editOrganization", { recordingDays: 30 });
  assert.deepEqual(edited.body.settings, { recordingDays: 30 });
  const there = async (recordingId: string): Promise<boolean> =>
    (await mine.ask("fetchRecording", { recordingId })).status === 200;
  await until("the old one is gone", async () => !(await there(old.id)));
  await until("its files are erased", () => filesBelow(folderOf(old)).length === 0);
  assert.ok(await there(young.id));
  assert.ok(filesBelow(folderOf(young)).length > 0);
  const off = await mine.ask("editOrganization", { recordingDays: null });
  assert.deepEqual(off.body.settings, { recordingDays: null });
});
