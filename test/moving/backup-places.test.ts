// Runs: sqlite

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { startAnswering } from "../world/answering.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { environmentOf, parley } from "./command-line.ts";
import { fill } from "./rows.ts";

const filled = async (t: TestContext) => {
  const place = await emptyPlace(t);
  await fill(place, 3);
  return { place, env: environmentOf(place) };
};

test("a bucket without room says so, and that backups may go", async (t) => {
  const { env } = await filled(t);
  const codes = { 507: "InsufficientStorage", 403: "QuotaExceeded", 400: "XMinioStorageFull" };
  for (const [status, code] of Object.entries(codes)) {
    const full = await startAnswering(t, (_, response) => {
      response.writeHead(Number(status)).end(`<Error><Code>${code}</Code></Error>`);
    });
    const bucket = {
      ...env,
      BACKUP_TO: "s3://backups",
      BACKUP_S3_ENDPOINT: full,
      BACKUP_S3_ACCESS_KEY_ID: "key",
      BACKUP_S3_SECRET_ACCESS_KEY: "secret",
    };
    const words = `It is full: ${code} (HTTP ${status}). Make room in it, or keep fewer backups`;
    const { code: ended, said } = await parley(bucket, "backup");
    assert.equal(ended, 1);
    assert.ok(said.includes(words), said);
  }
});

test("a bucket that is mistyped, or given as a file, does not become a folder", async (t) => {
  const { place, env } = await filled(t);
  const before = await readdir(place.dataDir);
  for (const BACKUP_TO of ["s3:/backups", "S3://backups", "gs://backups"]) {
    const { code, said } = await parley({ ...env, BACKUP_TO }, "backup");
    assert.equal(code, 1);
    assert.match(said, /BACKUP_TO is .*accepted: the path/);
  }
  for (const [command, option] of [
    ["backup", "--to"],
    ["restore", "--from"],
  ] as const) {
    const { code, said } = await parley(env, command, "s3://backups/parley");
    assert.equal(code, 2);
    assert.ok(said.includes(`A bucket is no FILE: give it with ${option} s3://`), said);
  }
  assert.deepEqual(await readdir(place.dataDir), before);
});
