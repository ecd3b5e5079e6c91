// Runs: complete, waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { hasty, noticesNothing } from "../twins/still.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { decode, PATIENCE, writeSegments } from "./files.ts";
import { leave } from "./left.ts";
import { runningWith } from "./recorders.ts";
import { openStillFfmpeg } from "./wrapped-programs.ts";

/** Every ffmpeg that makes files of a recording stands still. */
const standStill = async (t: TestContext, twin: Twin, patience?: number): Promise<void> => {
  const ffmpeg = openStillFfmpeg(t);
  const world = await leave(t, twin, ffmpeg.environment);
  t.after(() => {
    for (const pid of runningWith(row.id)) process.kill(pid, "SIGKILL");
  });
  const ended = { state: "ending", error: "interrupted", resolutions: '["1080p","480p"]' } as const;
  const row = await world.left({ ...ended, format: "mp4" });
  await writeSegments(join(world.folder(row), "capture"), 6);
  await world.expire(row);
  await until("it plays", async () => (await world.stateOf(row)).state === "ready", patience);
  await until("its sizes are given up", async () => (await world.stateOf(row)).complete);
  const { error, format, seconds, resolutions } = await world.stateOf(row);
  assert.deepEqual(
    [error, format, seconds, resolutions],
    ["interrupted", "hls", 6, '["1080p"]'],
    "the segments play, in the size that there is",
  );
  assert.equal(await decode(join(world.folder(row), "index.m3u8")), "");
  assert.deepEqual(runningWith(row.id), [], "no ffmpeg of it is left");
  assert.deepEqual(readdirSync(world.folder(row)).toSorted(), ["1080p", "index.m3u8"]);

  const download = () => world.asAdmin("downloadRecording", { recordingId: row.id });
  const answerOf = async () => {
    const { status, body } = await download();
    return `${status} ${body.code ?? ""}`;
  };
  assert.equal(await answerOf(), "202 ");
  await until("the download is refused", async () => (await answerOf()) !== "202 ");
  assert.deepEqual(runningWith(row.id), [], "no ffmpeg of it is left");
  ffmpeg.mend();
  await until("it is downloaded", async () => (await answerOf()) === "200 ", PATIENCE);
};

test("an ffmpeg that hangs holds up no recording: mp4, smaller sizes and downloads are given up, and what exists plays", (t) =>
  standStill(t, hasty({ maker: 3_000 })));

testTwin("a twin that does not notice it is detected", async (t) => {
  await assert.rejects(standStill(t, noticesNothing, 20_000), /in vain: it plays/);
});
