// Runs: sqlite, complete

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openHouse } from "../world/house.ts";
import { door, startProcess } from "../world/process.ts";
import { readCompose } from "./compose.ts";

test("the profile for backups keeps a verified one, says so by its health, and soon tries again after a failure", async (t) => {
  const { backup } = readCompose().services;
  assert.ok(backup);
  const house = await openHouse(t);
  const service = await startProcess(t, house.environment);
  const folder = mkdtempSync(join(tmpdir(), "parley-backup-service-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const slept = join(folder, "slept");
  const data = house.environment.DATA_DIR ?? "";
  for (const [name, script] of [
    [
      "parley",
      // The first try fails.
      `[ -e ${folder}/tried ] || { touch ${folder}/tried; exit 1; }
       exec "${process.execPath}" "${door()}" "$@"`,
    ],
    // After a failure and a day, somebody ends it.
    ["sleep", `echo "$1" >> ${slept}; [ "$(wc -l < ${slept})" -lt 3 ] || kill $PPID`],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const [script = ""] = backup.command ?? [];
  const done = join(folder, "done");
  const text = script.replaceAll("/tmp/done", done).replaceAll("/data/", `${data}/`);
  const env = {
    ...house.environment,
    BACKUP_TO: join(data, "backups"),
    PARLEY_ENV_FILE: "/dev/null",
    PATH: `${folder}:${process.env.PATH}`,
  };
  const [, signal] = await once(spawn("sh", ["-c", text], { env, stdio: "inherit" }), "exit");
  assert.equal(signal, "SIGTERM");
  assert.equal(readFileSync(slept, "utf8"), "600\n86400\n86400\n");
  const kept = readdirSync(join(data, "backups"));
  assert.equal(kept.filter((name) => name.endsWith(".verified.json")).length, 2);
  assert.ok(existsSync(done));
  assert.ok(backup.healthcheck?.test.includes("/tmp/done"));
  await service.end();
});
