// Runs: sqlite-first, waits, first
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, statfs, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openHold } from "../../server/recordings/hold.ts";
import { openSettler } from "../../server/recordings/settle.ts";
import { openSweep } from "../../server/recordings/sweep.ts";
import { sweepsNothing } from "../twins/recordings.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { decode, interrupt, PATIENCE, probe, writeSegments } from "./files.ts";
import { leave } from "./left.ts";
import { recordingsOf } from "./rows.ts";

/** A recording whose process was killed while its meeting continues. */
const finish = async (t: TestContext, twin?: Twin, patience?: number): Promise<void> => {
  const world = await leave(t, twin);
  const meetingId = world.mo.view?.meeting.meetingId ?? "";
  const row = await world.left({ meeting_id: meetingId });
  await writeSegments(join(world.folder(row), "capture"), 10);
  await interrupt(join(world.folder(row), "capture"));
  await world.mo.sees("it is recorded", ({ meeting }) => meeting.recording);
  await world.expire(row);
  const isReady = async () => (await world.stateOf(row)).state === "ready";
  await until("it plays", isReady, patience);
  const { seconds, error } = await world.stateOf(row);
  assert.deepEqual([seconds, error], [10, "interrupted"]);
  const playlist = join(world.folder(row), "index.m3u8");
  assert.ok(Math.abs((await probe(playlist)).seconds - 10) < 1);
  assert.equal(await decode(playlist), "");
  const next = (await recordingsOf(world.database, world.tenant.id)).find(
    ({ id }) => id !== row.id,
  );
  assert.deepEqual([next?.state, next?.started_by_name], ["queued", "Mo"]);
  await world.mo.sees("it goes on in a new one", ({ recorder }) => recorder?.state === "queued");
};

test("a recording whose process was killed plays, is marked so, and continues in a new one", (t) =>
  finish(t));

testTwin("a twin that leaves it alone keeps it active forever", async (t) => {
  await assert.rejects(finish(t, sweepsNothing, 40_000), /Waited in vain/);
});

test("every state in which a process may die leads to a correct one", async (t) => {
  const { left, expire, stateOf, folder, database } = await leave(t);
  // The database missed its end: the process that has it does nothing more with it.
  const { id: process } = await database.read
    .selectFrom("processes")
    .select("id")
    .executeTakeFirstOrThrow();
  const missed = await left({ state: "ending", process });
  await writeSegments(join(folder(missed), "capture"), 6);
  await expire(missed, new Date(Date.now() + 7_000).toISOString());
  const sizes = '["1080p","480p"]';
  const mp4 = await left({ state: "ending", format: "mp4", resolutions: sizes });
  await writeSegments(join(folder(mp4), "capture"), 6);
  const half = await left({ state: "ending", resolutions: sizes });
  await writeSegments(join(folder(half), "1080p"), 6);
  await mkdir(join(folder(half), "480p.draft.part"), { recursive: true });
  const empty = await left({ state: "ending", started_at: null });
  await mkdir(join(folder(empty), "capture"), { recursive: true });
  const nowhere = await left({ state: "starting", started_at: null });
  const cut = await left({ state: "ending" });
  await writeSegments(join(folder(cut), "capture"), 4);
  await truncate(join(folder(cut), "capture", "0.m4s"), 1_000);
  await truncate(join(folder(cut), "capture", "index.m3u8"));
  for (const row of [mp4, half, empty, nowhere, cut]) await expire(row);
  const all = [mp4, half, empty, nowhere, cut, missed];
  await until(
    "all have ended",
    async () => {
      const rows = await Promise.all(all.map(stateOf));
      return rows.every(
        ({ state, complete }) => state === "failed" || (state === "ready" && complete),
      );
    },
    PATIENCE,
  );
  const states = await Promise.all(all.map(stateOf));
  const gone = onPostgres ? "unreachable" : "not_begun";
  assert.deepEqual(
    states.map(({ state, error, format, seconds, resolutions }) =>
      state === "ready" ? [format, seconds, resolutions] : [state, error],
    ),
    [
      ["mp4", 6, sizes],
      ["hls", 6, sizes],
      ["failed", "not_begun"],
      ["failed", gone],
      ["failed", "not_begun"],
      ["hls", 6, '["480p"]'],
    ],
  );
  assert.equal(existsSync(folder(empty)), false);
  assert.ok(existsSync(join(folder(cut), "480p", "0.m4s")), "a segment is never removed");
  assert.deepEqual((await readdir(folder(mp4))).toSorted(), ["1080p.mp4", "480p.mp4"]);
  assert.deepEqual((await readdir(folder(half))).toSorted(), ["1080p", "480p", "index.m3u8"]);
  assert.equal((await probe(join(folder(mp4), "480p.mp4"))).height, 480);
  assert.equal((await probe(join(folder(half), "480p", "index.m3u8"))).height, 480);
  const files = JSON.parse(states[0]?.files ?? "[]") as readonly { readonly name: string }[];
  assert.deepEqual(
    files.map(({ name }) => name),
    ["1080p.mp4", "480p.mp4"],
  );
});

test("on a full disk a playable recording stays as it is, without mp4, smaller sizes or downloads", {
  skip: onlyComplete,
}, async (t) => {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize > 1e12) return t.skip("the disk has more room than the service can want");
  const { left, expire, stateOf, folder, asAdmin } = await leave(t, undefined, {
    RECORDING_FREE_MB: "1000000",
  });
  const full = { state: "ending", error: "disk_full", resolutions: '["1080p","480p"]' } as const;
  const rows = [await left(full), await left({ ...full, format: "mp4" })];
  for (const row of rows) {
    await writeSegments(join(folder(row), "capture"), 6);
    await expire(row);
  }
  for (const row of rows) {
    await until("it is finished", async () => (await stateOf(row)).complete);
    const { state, error, format, resolutions } = await stateOf(row);
    assert.deepEqual(
      [state, error, format, resolutions],
      ["ready", "disk_full", "hls", '["1080p"]'],
    );
    assert.deepEqual((await readdir(folder(row))).toSorted(), ["1080p", "index.m3u8"]);
    assert.equal(await decode(join(folder(row), "index.m3u8")), "");
  }
  const recordingId = rows[0]?.id;
  const download = () => asAdmin("downloadRecording", { recordingId });
  let answer = await download();
  assert.equal(answer.status, 202);
  await until("it is refused", async () => {
    answer = await download();
    return answer.status !== 202;
  });
  assert.deepEqual([answer.status, answer.body.code], [503, "disk_full"]);
  assert.equal((await asAdmin("openRecording", { recordingId })).status, 200);
});

test("an unreachable recording is found again when its files are back, however many others are gone for good", {
  skip: onlyComplete,
}, async (t) => {
  const { left, stateOf, folder, database, parts } = await leave(t);
  const gone = { state: "failed", error: "unreachable" } as const;
  for (let n = 0; n < 60; n += 1) await left(gone);
  const back = await left(gone);
  await mkdir(folder(back), { recursive: true });
  const hold = openHold(database, "a process");
  const stopping = new AbortController().signal;
  const settler = openSettler({ ...parts, leastFree: 0, hold, ffmpeg: () => undefined, stopping });
  const working = new Map<string, Promise<void>>();
  const sweep = openSweep(database, { ...parts, hold, settler, working });
  await sweep.look();
  await until("it is looked at", async () => (await stateOf(back)).error !== "unreachable");
  await Promise.all(working.values());
});

test("a process does not take over a recording that it is making, even after a pause longer than its lease", async (t) => {
  const { left, expire, stateOf, folder, database, parts } = await leave(t, sweepsNothing);
  const [own, lost] = [await left({ process: "a process" }), await left({ state: "ending" })];
  for (const row of [own, lost]) {
    await mkdir(join(folder(row), "capture"), { recursive: true });
    await expire(row);
  }
  const hold = openHold(database, "a process");
  const stopping = new AbortController().signal;
  const settler = openSettler({ ...parts, leastFree: 0, hold, ffmpeg: () => undefined, stopping });
  const working = new Map([[own.id, Promise.resolve()]]);
  await openSweep(database, { ...parts, hold, settler, working }).look();
  await Promise.all(working.values());
  assert.equal((await stateOf(lost)).state, "failed");
  assert.equal((await stateOf(own)).state, "active");
  assert.ok(existsSync(join(folder(own), "capture")));
});
