import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  alone,
  drawing,
  longest,
  onOneDatabase,
  paging,
  queuesFor,
  waiting,
} from "../run/files.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("test/**/*.test.ts", { cwd }).sort();
const databases = ["sqlite", "postgres"] as const;
const onOne = databases.flatMap((database): readonly string[] => onOneDatabase[database]);

test("every test file runs: once on each database, or once on the listed one", () => {
  const groups = Object.values(queuesFor(databases, files)).flat();
  const ran = databases.map((name) =>
    groups.flatMap(({ database, files: some }) => (database === name ? some : [])),
  );
  assert.deepEqual([...new Set(ran.flat())].sort(), files);
  for (const some of ran) assert.equal(new Set(some).size, some.length);
  const once = files.filter((file) => !ran.every((some) => some.includes(file)));
  assert.ok(once.every((file) => onOne.some((path) => file.startsWith(path))));
});

test("each path in the lists of test files matches an existing file", () => {
  for (const path of [...onOne, ...alone, ...waiting, ...drawing, ...paging, ...longest]) {
    assert.ok(
      files.some((file) => file.startsWith(path)),
      path,
    );
  }
});
