// Runs: sqlite
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startWriter } from "../../server/capture/ffmpeg.ts";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { openFfmpeg } from "../../server/recordings/ffmpeg.ts";
import { completeRecording, finishRecording } from "../../server/recordings/finish.ts";
import { countPictures, decode, probe, slowPictures, writeSegments } from "./files.ts";

const PATH = process.env.PATH ?? "";

test("a recording that ended on a full disk plays, whatever happened to its playlist", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-full-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const whole = join(folder, "whole");
  await writeSegments(whole, 42);
  const text = readFileSync(join(whole, "index.m3u8"), "utf8");
  const [first] = text.split("1.m4s");
  // As ffmpeg leaves it: the playlist replaced, a part of a segment, then empty ones.
  for (const [name, left] of Object.entries({
    emptied: "",
    cut: `${first}1.m`,
    missing: undefined,
  })) {
    const own = join(folder, name);
    const capture = join(own, "capture");
    await cp(whole, capture, { recursive: true });
    await rm(join(capture, "index.m3u8"));
    if (left !== undefined) await writeFile(join(capture, "index.m3u8"), left);
    const last = await readFile(join(capture, "10.m4s"));
    await writeFile(join(capture, "11.m4s"), last.subarray(0, last.length - 1));
    await writeFile(join(capture, "12.m4s"), "");
    const recorded = { folder: own, format: "hls", sizes: ["480p"] } as const;
    const fails = (error: unknown) => assert.fail(String(error));
    const finished = await finishRecording(undefined, recorded, 0, fails);
    assert.equal(finished?.seconds, 42, name);
    assert.deepEqual(
      (await readdir(join(own, "480p"))).toSorted(),
      (await readdir(whole)).toSorted(),
    );
    const { seconds } = await probe(join(own, "index.m3u8"));
    assert.ok(Math.abs(seconds - 42) < 0.5, `${name}: ${seconds} s`);
    assert.equal(await decode(join(own, "index.m3u8")), "", name);
  }
});

const program = () => findFfmpeg({ ffmpeg: undefined, path: PATH }) ?? "";

/** The folder of a capture of 8 seconds whose pictures come as slowly as those of a busy browser. */
const captured = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-length-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const capture = join(folder, "capture");
  await mkdir(capture);
  const writer = await startWriter(program(), capture, true);
  writer.write(await slowPictures(8));
  writer.finish();
  assert.equal(await writer.ended, undefined);
  return folder;
};

test("a recording has its full length, however few pictures its end has", async (t) => {
  const folder = await captured(t);
  const recorded = { folder, format: "hls", sizes: ["480p"] } as const;
  const finished = await finishRecording(undefined, recorded, 0, (error) =>
    assert.fail(String(error)),
  );
  assert.equal(finished?.seconds, 8);
  const { seconds } = await probe(join(folder, "index.m3u8"));
  assert.ok(Math.abs(seconds - 8) < 0.5, `${seconds} s`);
});

test("a smaller size has no more than 25 pictures a second, however irregularly those of its source came", async (t) => {
  for (const format of ["hls", "mp4"] as const) {
    const recorded = { folder: await captured(t), format, sizes: ["1080p", "480p"] } as const;
    const fails = (error: unknown) => assert.fail(String(error));
    const ffmpeg = openFfmpeg(program());
    const finished = await finishRecording(ffmpeg, recorded, 0, fails);
    const { sizes } = await completeRecording(ffmpeg, recorded, 0, finished?.seconds ?? 0, fails);
    assert.deepEqual(sizes, recorded.sizes);
    const file = join(recorded.folder, format === "mp4" ? "480p.mp4" : "480p/index.m3u8");
    const pictures = await countPictures(file);
    assert.ok(pictures > 100 && pictures < 8 * 26, `${format}: ${pictures} pictures`);
  }
});
