import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openFolder } from "../../server/recordings/folder-store.ts";

test("a path that leaves the folder of recordings is neither read, nor written to, nor erased", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-paths-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const other = join(dataDir, "recordings-of-others");
  await mkdir(join(dataDir, "recordings"));
  await mkdir(other);
  await writeFile(join(other, "kept"), "kept");
  const folder = openFolder(dataDir);
  for (const path of ["..", ".", "", "../recordings-of-others", "a/../../recordings-of-others"]) {
    const wrong = { message: `${path} is no path of a recording.` };
    assert.throws(() => folder.path(path), wrong);
    await assert.rejects(folder.erase(path), wrong);
    await assert.rejects(folder.read(path, 1), wrong);
  }
  assert.equal(await readFile(join(other, "kept"), "utf8"), "kept");
  assert.equal(folder.path("o/r/c/index.m3u8"), join(dataDir, "recordings/o/r/c/index.m3u8"));
});
