// Runs: sqlite, complete

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { run, spectral } from "./tools.ts";

test("P-OPS-19: spectral finds no fault in the OpenAPI document", async (t) => {
  const tool = await spectral();
  if ("missing" in tool) return t.skip(tool.missing);
  const world = await startWorld(t);
  const home = mkdtempSync(join(tmpdir(), "parley-spectral-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const [document, rules] = [join(home, "openapi.json"), join(home, ".spectral.yaml")];
  const { body } = await send(world.url, { method: "GET", path: "/openapi.json" });
  writeFileSync(document, JSON.stringify(body));
  writeFileSync(rules, 'extends: ["spectral:oas"]\n');
  const { ok, out } = await run(process.execPath, [tool.path, "lint", "-r", rules, document]);
  assert.ok(ok, out);
  assert.match(out, /No results with a severity of 'error' found/);
});
