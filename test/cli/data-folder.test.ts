// Runs: sqlite, complete

import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../server/config/config.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { begin, run } from "./run.ts";

test("a service that starts while the previous one ends waits for it, and then serves", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const { environment } = await openHouse(t);
  const env = { ...environment, DRAIN_SECONDS: "2" };
  const first = await startProcess(t, env);
  first.child.kill("SIGTERM");
  await until("it is leaving", async () => (await fetch(`${first.url}/readyz`)).status === 503);
  // Until the next one has met it.
  first.child.kill("SIGSTOP");
  const second = begin({ ...env, PORT: "0" }, ["start"]);
  t.after(() => second.child.kill("SIGKILL"));
  await until("the next one waits", () => second.err().includes("waiting for it"));
  first.child.kill("SIGCONT");
  await until("the next one serves", () => second.out().includes("Parley is ready"));
  assert.match(second.err(), /The service before this one is ending; waiting for it\./);
  assert.ok(first.hasEnded());
});

test("a DATA_DIR where no folder can be made ends the start with one line", {
  skip: process.platform !== "linux" && "needs /proc",
}, async (t) => {
  const { environment } = await openHouse(t);
  const { code, err } = await run({ ...environment, DATA_DIR: "/proc/parley" }, "start");
  assert.equal(code, 1);
  assert.match(
    err,
    /\/proc\/parley cannot be made: its file system takes no folders\. Set DATA_DIR to a folder on a disk\.\n$/,
  );
});

test("a DATA_DIR that is a file is reported in one line, by the service and by commands", async (t) => {
  const { environment } = await openHouse(t);
  const file = join(readConfig(environment).dataDir, "..", "a-file");
  await writeFile(file, "");
  t.after(() => rm(file, { force: true }));
  const commands = [["start"], ["doctor"], ["config"], ["media", "status"], ["org", "list"]];
  for (const command of commands) {
    const { out, err } = await run({ ...environment, DATA_DIR: file }, ...command);
    assert.doesNotMatch(out + err, /\n\s+at /, command.join(" "));
  }
  const { code, err } = await run({ ...environment, DATA_DIR: file, DATABASE_URL: "" }, "start");
  assert.equal(code, 1);
  assert.match(err, /a-file(\/\S+)? is not a folder\. Set DATA_DIR to a folder\./);
});
