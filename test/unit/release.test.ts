// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../packaging/folder.ts";
import { notesOf, releaseProblem } from "../../packaging/release-notes.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

test("a version is released once the changelog has it with its date", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n- C.\n\n## 0.2.0 (2027-01-31)\n\n- B.\n\n## 0.1.0 (2026-11-28)\n\n- A.\n";
  assert.equal(releaseProblem(changelog, "0.2.0", "v0.2.0"), undefined);
  assert.equal(notesOf(changelog, "0.2.0"), "- B.\n\n");
  assert.match(releaseProblem(changelog, "0.3.0") ?? "", /no heading/);
  assert.match(releaseProblem(changelog, "0.2.0", "v0.1.0") ?? "", /tag is v0\.1\.0/);
  const headings = read("CHANGELOG.md").match(/^## .*$/gm);
  assert.deepEqual(headings?.[0], "## Unreleased");
  assert.equal(releaseProblem(read("CHANGELOG.md"), packageJson.version), undefined);
});

test("actions of the workflows are pinned, and their commands exist", () => {
  const files = globSync(".github/workflows/*.yml", { cwd: root });
  assert.ok(files.length > 1);
  const steps = files
    .flatMap((file) => Object.values(parse(read(file)).jobs))
    .flatMap(
      (job) => (job as { readonly steps: readonly { uses?: string; run?: string }[] }).steps,
    );
  for (const { uses } of steps) if (uses) assert.match(uses, /@(?:v\d+|[0-9a-f]{40})$/);
  const scripts = steps.flatMap(({ run = "" }) =>
    [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name),
  );
  assert.ok(scripts.length > 1);
  for (const name of scripts) assert.ok(name in packageJson.scripts, name);
});
