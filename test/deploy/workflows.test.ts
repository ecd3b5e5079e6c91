// Runs: sqlite, complete, unsteady

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { run } from "../generators/tools.ts";
import { actionlint } from "./tools.ts";

test("actionlint finds no fault in the workflows", async (t) => {
  const tool = await actionlint();
  if ("missing" in tool) return t.skip(tool.missing);
  const files = globSync(".github/workflows/*.yml", { cwd: root });
  assert.ok(files.length > 1);
  const { ok, out } = await run(tool.path, files, { cwd: root });
  assert.ok(ok, out);
});
