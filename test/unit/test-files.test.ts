import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  alone,
  drawing,
  groupsFor,
  longest,
  onOneDatabase,
  queuesFor,
  together,
  waiting,
} from "../run/files.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("test/**/*.test.ts", { cwd }).sort();
const databases = ["sqlite", "postgres"] as const;
const onOne = databases.flatMap((database): readonly string[] => onOneDatabase[database]);

test("every test file runs: once on each database, or once on the one that is listed", () => {
  const groups = databases.map((database) => groupsFor(database, files).flat());
  assert.deepEqual([...new Set(groups.flat())].sort(), files);
  for (const ran of groups) assert.equal(new Set(ran).size, ran.length);
  const once = files.filter((file) => !groups.every((ran) => ran.includes(file)));
  assert.ok(once.every((file) => onOne.some((path) => file.startsWith(path))));
  const queues = Object.values(queuesFor(databases, files)).flat();
  const queued = queues.map((group) => `${group.database} ${group.files}`);
  const all = databases.flatMap((database) =>
    groupsFor(database, files).map((group) => `${database} ${group}`),
  );
  assert.deepEqual(queued.sort(), all.sort());
});

test("each path in the lists of test files names one that is there", () => {
  for (const path of [...onOne, ...together, ...alone, ...waiting, ...drawing, ...longest]) {
    assert.ok(
      files.some((file) => file.startsWith(path)),
      path,
    );
  }
});
