// Runs: sqlite
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startWriter } from "../../server/capture/ffmpeg.ts";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { finishRecording } from "../../server/recordings/finish.ts";
import { decode, probe, slowPictures, writeSegments } from "./files.ts";

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

test("a recording has its full length, however few pictures its end has", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-length-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const capture = join(folder, "capture");
  await mkdir(capture);
  const writer = await startWriter(
    findFfmpeg({ ffmpeg: undefined, path: PATH }) ?? "",
    capture,
    true,
  );
  writer.write(await slowPictures(8));
  writer.finish();
  assert.equal(await writer.ended, undefined);
  const recorded = { folder, format: "hls", sizes: ["480p"] } as const;
  const finished = await finishRecording(undefined, recorded, 0, (error) =>
    assert.fail(String(error)),
  );
  assert.equal(finished?.seconds, 8);
  const { seconds } = await probe(join(folder, "index.m3u8"));
  assert.ok(Math.abs(seconds - 8) < 0.5, `${seconds} s`);
});
