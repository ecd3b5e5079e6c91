// Runs: sqlite, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writeSegments } from "../recordings/files.ts";
import { recordingIn, WHOLE } from "./look.ts";

const PNG = "89504e470d0a1a0a";

test("a frame that looks wrong is kept as a PNG, and the failure says where", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-frames-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await writeSegments(folder, 2);
  const shown = recordingIn(folder).shows("a test that fails on purpose", 1, WHOLE, [0, 0, 0]);
  const error: Error = await shown.then(
    () => assert.fail("It is not black."),
    (failure) => failure,
  );
  const [, path = ""] = /; see (.+\.png)$/.exec(error.message) ?? assert.fail(error.message);
  t.after(() => rmSync(path));
  const file = readFileSync(path);
  assert.equal(file.toString("hex", 0, 8), PNG);
  assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [256, 144], "the whole frame");
});
