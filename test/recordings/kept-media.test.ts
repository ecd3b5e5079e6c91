// Runs: waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bearer } from "../world/ask.ts";
import { codeOf, cookieOf, startLibrary } from "./library.ts";
import { openHoldableFfmpeg } from "./wrapped-programs.ts";

const ffmpeg = openHoldableFfmpeg(test);
const library = await startLibrary(ffmpeg.environment);
const { world, tenant, room, add, folderOf, get, open } = library;
const { ask, admin } = tenant;

test("every file of a recording needs the recording's cookie", async () => {
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

test("a playlist is served in its current state, even when smaller sizes are added meanwhile", async () => {
  const row = await add();
  const { url, cookie } = await open(row.id);
  const file = join(folderOf(row), "index.m3u8");
  const later = `${readFileSync(file, "utf8")}#EXT-X-STREAM-INF:BANDWIDTH=1\n240p/index.m3u8\n`;
  writeFileSync(file, later);
  const answer = await get(url, { cookie });
  assert.equal(await answer.text(), later);
  assert.equal(answer.headers.get("cache-control"), "private, no-cache");
});

test("a file is answered exactly: any range of bytes, 304 for an unchanged one, and 404 for a missing one", async () => {
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

test("a file on its way is cut when the right to it ends, and not when only its cookie or link expires", async () => {
  const owner = await tenant.addPerson("reader@example.org");
  const own = { room, roomOwnerId: `${admin.id},${owner.id}` };
  assert.equal((await ask("editRoom", own)).status, 200);
  const row = await add({ format: "mp4" });
  // More than the buffers of both systems hold.
  const bytes = 64_000_000;
  truncateSync(join(folderOf(row), "480p.mp4"), bytes);
  const files = JSON.stringify([{ name: "480p.mp4", bytes }]);
  await world.database.change((tx) =>
    tx.updateTable("recordings").set({ files }).where("id", "=", row.id).execute(),
  );
  const byOwner = async () => open(row.id, await tenant.tokenOf(owner.id));
  const share = async () => {
    const { link } = (await ask("createRecordingLink", { recordingId: row.id })).body;
    const answer = await world.open("openRecordingLink", { code: link.url.split("/r/")[1] });
    return { linkId: link.linkId, url: answer.body.recording.media.url, cookie: cookieOf(answer) };
  };
  /** The bytes that arrive when something happens while a file is on its way. */
  const arrive = async (
    { url, cookie }: { readonly url: string; readonly cookie: string },
    happens: () => Promise<unknown>,
  ): Promise<number> => {
    const answer = await get(url, { cookie });
    assert.equal(answer.status, 200);
    const reader = answer.body?.getReader() ?? assert.fail();
    let sum = 0;
    const read = async (): Promise<boolean> => {
      const { value, done } = await reader.read();
      sum += value?.length ?? 0;
      return !done;
    };
    await read();
    await happens();
    // A viewer is looked up at most once a second.
    await sleep(1_000);
    try {
      while (await read());
    } catch (error) {
      assert.equal((error as Error).message, "terminated");
    }
    return sum;
  };
  const expires_at = new Date(Date.now() - 1_000).toISOString();
  const expired = await arrive(await byOwner(), () =>
    world.database.change((tx) =>
      tx.updateTable("tokens").set({ expires_at }).where("user_id", "=", owner.id).execute(),
    ),
  );
  assert.equal(expired, bytes);
  const linkExpired = await arrive(await share(), () =>
    world.database.change((tx) => tx.updateTable("recording_links").set({ expires_at }).execute()),
  );
  assert.equal(linkExpired, bytes);
  const shared = await share();
  const revoked = await arrive(shared, () => ask("revokeRecordingLink", { linkId: shared.linkId }));
  assert.ok(revoked < bytes, "the link is revoked");
  const suspended = await arrive(await byOwner(), () =>
    ask("suspendRestoreUser", { action: "suspend", userId: owner.id }),
  );
  assert.ok(suspended < bytes, "the account is suspended");
});
