// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { until } from "../world/process.ts";
import { PATIENCE } from "./files.ts";
import { addCaption, SECONDS } from "./films.ts";
import { codeOf, cookieOf, startLibrary } from "./library.ts";

const { world, tenant, add, get } = await startLibrary();
const { ask } = tenant;

test("a link plays its recording without sign-in, until it ends or is revoked", async () => {
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
  const refused = await get(`${media.url}?download`, { cookie });
  assert.equal(await codeOf(refused), "403 download_not_allowed");
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

test("a link gives captions, or captions and the file, only where its maker allowed them", async () => {
  const recorded = { resolutions: '["1080p","480p"]', meeting_id: uuid7() };
  const [hls, mp4] = [await add(recorded), await add({ format: "mp4" })];
  for (const [number, second] of [-9, 2, 3, SECONDS + 1].entries()) {
    const said = { number, second, peer: "Ann", text: `said at ${second}`, kept: second !== 3 };
    await addCaption(tenant, hls, said);
  }
  const wrong = await ask("createRecordingLink", { recordingId: hls.id, allows: "all" });
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, "allows"]);
  const linkTo = async ({ id: recordingId }: RecordingRow, allows?: string) => {
    const { link } = (await ask("createRecordingLink", { recordingId, allows })).body;
    const code = link.url.split("/r/")[1];
    const opened = await world.open("openRecordingLink", { code });
    const download = (more: object = {}) => world.open("downloadRecordingLink", { code, ...more });
    return { link, opened, download, ...opened.body.recording };
  };
  const played = await linkTo(hls);
  assert.deepEqual([played.link.allows, played.allows, played.captions], ["play", "play", null]);
  const read = await linkTo(hls, "captions");
  const vtt = "WEBVTT\n\n00:00:02.000 --> 00:00:03.000\n<v Ann>said at 2\n";
  assert.equal(read.captions, vtt, "what was said in it and is kept, and nothing else");
  for (const { download } of [played, read]) {
    const { status, body } = await download();
    assert.deepEqual([status, body.code], [403, "download_not_allowed"]);
  }

  const saved = await linkTo(hls, "download");
  assert.equal(saved.captions, vtt);
  assert.deepEqual(saved.resolutions, ["1080p", "480p"]);
  assert.equal((await saved.download({ resolution: "2160p" })).body.code, "recording_size_missing");
  const small = { resolution: "480p" };
  await until(
    "its file is made",
    async () => (await saved.download(small)).status === 200,
    PATIENCE,
  );
  const answer = await saved.download(small);
  const file = await get(answer.body.download.url, { cookie: cookieOf(answer) });
  assert.equal((await file.arrayBuffer()).byteLength, answer.body.download.bytes);
  const made = answer.body.download.url.replace("?download", "");
  const asPlayed = await get(made, { cookie: cookieOf(played.opened) });
  assert.equal(await codeOf(asPlayed), "403 download_not_allowed");

  assert.equal((await linkTo(mp4, "captions")).captions, null, "nobody said anything in it");
  const { media } = await linkTo(mp4, "download");
  assert.deepEqual(media.sizes, [{ resolution: "480p", url: media.url }]);
  assert.deepEqual((await linkTo(hls)).media.sizes, []);
  const { links } = (await ask("listRecordingLinks", { recordingId: hls.id })).body;
  const allowed = links.map((link: { readonly allows: string }) => link.allows);
  assert.deepEqual(allowed.toReversed(), ["play", "captions", "download", "play"]);
  const [entry] = (await ask("listHistory", { limit: 1, kinds: "recordingShared" })).body.entries;
  assert.deepEqual(entry.after, { days: 7, allows: "play" });
});
