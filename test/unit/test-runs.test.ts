// Runs: waits

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runFiles } from "../run/file.ts";

const bodies = {
  first: 'test("passes", () => {});',
  waits: `suite("some", () => {
    test("passes", () => {});
    test("waits forever", () => new Promise(() => setInterval(() => {}, 1_000)));
  });`,
  breaks:
    'test("ends the process", () => new Promise(() => setTimeout(() => process.exit(3), 1_000)));',
  last: 'test("passes too", () => {});',
};

test("a test file that hangs or ends its process is named with the open test, and the others still run", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-files-"));
  t.after(() => rm(folder, { recursive: true }));
  const fileOf = (name: string) => join(folder, `${name}.test.mjs`);
  for (const [name, body] of Object.entries(bodies)) {
    await writeFile(fileOf(name), `import { suite, test } from "node:test";\n${body}\n`);
  }
  const reports = await runFiles(Object.keys(bodies).map(fileOf), {}, 10);
  assert.deepEqual(
    reports.map(({ outcomes }) =>
      outcomes.map(({ names, result, detail }) => [result, names.join(" > "), detail]),
    ),
    [
      [["passed", "passes", ""]],
      [
        ["passed", "some > passes", ""],
        [
          "failed",
          "(the whole file)",
          `It did nothing for 10 s: something is open, or waits. In waits forever, in some, in ${fileOf("waits")}.`,
        ],
      ],
      [
        [
          "failed",
          "(the whole file)",
          `It ended with exit code 3. In ends the process, in ${fileOf("breaks")}.`,
        ],
      ],
      [["passed", "passes too", ""]],
    ],
  );
});
