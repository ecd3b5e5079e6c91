// Runs: postgres, complete, waits
// Needs: media-engine

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Run } from "../../bench/results.ts";
import { root } from "../../packaging/folder.ts";
import { noEngine } from "../run/engine.ts";

test("the simulation of ten thousand people in meetings runs, with few of them", {
  skip: noEngine,
}, async () => {
  const words = ["pinned-node.js", "bench/run.ts", "--quick", "--json", "--only", "23"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { cwd: root });
  const { measured }: Run = JSON.parse(stdout);
  const figures = new Map(
    measured.flatMap(({ figures }) => figures.map((one) => [one.what, one.rounds[0]])),
  );
  for (const what of ["4 meetings of 5", "an event of 20"]) {
    assert.ok((figures.get(`${what}: come in`) ?? 0) > 0, stderr);
  }
  assert.match(stderr, /4 meetings of 5: 20 inside, \d+ asked again, 0 failed, 0 lost/);
  assert.ok((figures.get("an event of 20: everybody has a message") ?? 0) > 0);
});
