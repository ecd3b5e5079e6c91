// Runs: always

import assert from "node:assert/strict";
import {
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { makeFolder, makeFolderNow } from "../../server/lib/folders.ts";

const ways = [makeFolder, async (path: string) => makeFolderNow(path)] as const;

const scratch = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), "parley-folders-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

test("a folder is made with those above it, for its owner only, and may be there already", async (t) => {
  for (const [n, make] of ways.entries()) {
    const folder = scratch(t);
    const path = join(folder, "a", "b", "c");
    await Promise.all([make(path), make(path)]);
    for (const one of ["a", "a/b", "a/b/c"]) {
      assert.equal(statSync(join(folder, one)).mode & 0o777, 0o700, `${n}: ${one}`);
    }
    symlinkSync(path, join(folder, "link"));
    await make(join(folder, "link"));
    await make("/");
    writeFileSync(join(folder, "file"), "");
    await assert.rejects(make(join(folder, "file")), { code: "EEXIST" });
    await assert.rejects(make(join(folder, "file", "below", "it")), { code: "ENOTDIR" });
  }
});

test("a folder that its file system refuses is refused once, and not tried for ever", {
  skip: process.platform !== "linux" && "needs /proc",
}, async () => {
  for (const make of ways) {
    for (const path of ["/proc/nowhere", "/proc/nowhere/below"]) {
      await assert.rejects(make(path), { code: "ENOENT", path: "/proc/nowhere" });
    }
  }
});

test("the service makes folders in no other way", () => {
  const files = globSync("server/**/*.ts", { cwd: root });
  const others = files.filter((file) =>
    /mkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.deepEqual(others, []);
});
