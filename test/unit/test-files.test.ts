import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as lists from "../run/files.ts";
import { queuesFor, startsWithOne } from "../run/queues.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("test/**/*.test.ts", { cwd }).sort();
const databases = ["sqlite", "postgres"] as const;
const onOne = databases.flatMap((database): readonly string[] => lists.onOneDatabase[database]);

/** The files that run on each database. */
const ranIn = (complete: boolean): readonly string[][] => {
  const groups = Object.values(queuesFor({ databases, files, complete })).flat();
  const ran = databases.map((name) =>
    groups.flatMap(({ database, files: some }) => (database === name ? some : [])),
  );
  const expected = files.filter((file) => complete || !startsWithOne(file, lists.inCompleteRuns));
  assert.deepEqual([...new Set(ran.flat())].sort(), expected);
  for (const some of ran) assert.equal(new Set(some).size, some.length);
  return ran;
};

test("a complete run has every test file once on each database, or once on the listed one", () => {
  const ran = ranIn(true);
  const once = files.filter((file) => !ran.every((some) => some.includes(file)));
  assert.ok(once.every((file) => startsWithOne(file, onOne)));
});

test("every run has the test files that are not for complete runs, on both databases if their tests differ there, on PostgreSQL if they start a second service", () => {
  const ran = ranIn(false);
  const [, postgres] = ran;
  for (const file of files.filter(
    (name) => !startsWithOne(name, [...onOne, ...lists.inCompleteRuns]),
  )) {
    const source = readFileSync(`${cwd}/${file}`, "utf8");
    if (/\bonPostgres\b|\bname === "sqlite"/.test(source)) {
      const isOnBoth = ran.every((some) => some.includes(file));
      assert.ok(isOnBoth, `${file} asks for its database: list it in onBothDatabases`);
    }
    if (/\.second\(\)/.test(source)) {
      assert.ok(
        postgres?.includes(file),
        `${file} starts a second service: list it in onPostgresInShortRuns`,
      );
    }
  }
});

test("each path in the lists of test files matches an existing file", () => {
  const { onOneDatabase: _, ...others } = lists;
  const listed = [onOne, ...Object.values(others)].flat();
  for (const path of listed) {
    assert.ok(
      files.some((file) => file.startsWith(path)),
      path,
    );
  }
});
