// Runs: sqlite, complete

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startWorld } from "../world/world.ts";
import { directoryOf } from "./directory.ts";

const PYTHON = process.env.SCIM_TESTER_PYTHON ?? "python3";
const isThere =
  spawnSync(PYTHON, ["-c", "import scim2_tester, httpx2"], { stdio: "ignore" }).status === 0;
const skip = isThere ? false : "needs Python (SCIM_TESTER_PYTHON) with scim2-tester and httpx2";

test("scim2-tester finds no difference from the standard", { skip }, async (t) => {
  const world = await startWorld(t);
  const { token } = await directoryOf(world.url, await world.tenant(), "everything");
  const script = fileURLToPath(new URL("conformance.py", import.meta.url));
  const { stdout } = await promisify(execFile)(PYTHON, [script, `${world.url}/scim/v2`, token]);
  const results = stdout
    .trim()
    .split("\n")
    .map((line): [string, string, string] => JSON.parse(line));
  assert.ok(results.length > 20, stdout);
  // It expects that "add" replaces a list, which adds to those that are there (RFC 7644, 3.5.2.1).
  const isAdding = (title: string, reason: string) =>
    title === "check_add_attribute" && reason.includes(":tags'");
  const wrong = results.filter(
    ([status, title, reason]) =>
      !["SUCCESS", "SKIPPED"].includes(status) && !isAdding(title, reason),
  );
  assert.deepEqual(wrong, []);
});
