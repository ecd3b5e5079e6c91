// Runs: sqlite-first, complete
// Needs: store

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, watch } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { smallDisk } from "../faults/small-disk.ts";
import { startS3 } from "../recordings/s3-server.ts";
import { noStore } from "../run/store.ts";
import { emptyPlace, type Scope } from "../world/empty-database.ts";
import { filesBelow } from "../world/files.ts";
import { complete } from "../world/seed.ts";
import { begin, type Environment, environmentOf, parley } from "./command-line.ts";
import { addFilm, age } from "./kept.ts";
import { fill } from "./rows.ts";

/** A filled installation with two recordings and a backup of them. */
const filled = async (t: TestContext, more: Environment) => {
  const place = await emptyPlace(t);
  await fill(place, 30);
  const env: Environment = { ...environmentOf(place), ...more };
  await addFilm(place, "film-1");
  const { code, said } = await parley(env, "backup", "--recordings");
  assert.equal(code, 0, said);
  await addFilm(place, "film-2");
  await addFilm(place, "film-3");
  return { place, env };
};

/** Every backup that is shown as whole holds. @returns their names */
const assertWhole = async (env: Environment): Promise<string[]> => {
  const { value, said } = await parley(env, "backup", "list");
  assert.ok(value, said);
  const names: string[] = value.backups.map(({ name }: { name: string }) => name);
  for (const name of names) {
    const checked = await parley(env, "backup", "verify", name, "--recordings", "--sqlite");
    assert.equal(checked.code, 0, checked.said);
  }
  return names;
};

/** The file in a folder of backups at which to kill, in the order in which these files appear. */
const stages: Readonly<Record<string, RegExp>> = {
  "while the database is copied": /^\.parley\.partial-/,
  "before recordings are copied": /\.recordings\.jsonl$/,
  "while recordings are copied": /film-2\/480p\.mp4$/,
  "before the manifest": /^parley-\w+\.db$/,
  "after the manifest": /^parley-\w+\.json$/,
};

test("P-OPS-9: a backup that is killed at any stage in a folder counts for nothing, or is whole", async (t) => {
  const parent = await emptyPlace(t, { on: "sqlite" });
  const folder = join(parent.dataDir, "kept");
  const { env } = await filled(t, { BACKUP_TO: folder });
  const killed: string[] = [];
  for (const [stage, sign] of Object.entries(stages)) {
    if (!complete && stage.startsWith("while the database")) continue;
    const before = new Set(filesBelow(folder));
    const { child, end } = begin(env, "backup", "--recordings");
    const watcher = watch(folder, { recursive: true }, () => {
      if (filesBelow(folder).some((name) => sign.test(name) && !before.has(name)))
        child.kill("SIGKILL");
    });
    await end;
    watcher.close();
    killed.push(...readdirSync(folder).filter((name) => /^parley-\w+\.recordings/.test(name)));
    await assertWhole(env);
  }
  // A day later, the next backup removes their leftovers.
  for (const name of new Set(killed.map((file) => file.split(".")[0] ?? ""))) age(folder, name, 2);
  const { value, said } = await parley(env, "backup", "--recordings", "--keep-last", "1");
  assert.ok(value, said);
  const names = await assertWhole(env);
  assert.ok(names.includes(value.name));
  const databases = (await readdir(folder)).filter((name) => name.endsWith(".db"));
  assert.deepEqual(databases.sort(), names.map((name) => `${name}.db`).sort());

  // A twin, to show that the check finds a backup that only looks whole.
  copyFileSync(join(folder, `${value.name}.json`), join(folder, "parley-20260101T000000000Z.json"));
  await rm(join(folder, `${value.name}.db`));
  await assert.rejects(assertWhole(env), { code: "ERR_ASSERTION" });
});

/** Passes requests on to a store, and calls back before each that writes. */
const startGate = async (t: Scope, store: string, onWrite: (count: number) => void) => {
  let writes = 0;
  const gate = createServer((incoming, answer) => {
    const { method = "GET", url, headers } = incoming;
    if (method === "PUT" || method === "POST") {
      writes += 1;
      onWrite(writes);
    }
    const onward = request(new URL(url ?? "/", store), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    incoming.on("error", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((ready) => gate.listen(0, "127.0.0.1", ready));
  t.after(() => gate.close());
  const address = gate.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    again: () => {
      writes = 0;
    },
  };
};

test("P-OPS-9: a backup that is killed at any request to a bucket counts for nothing, or is whole", {
  skip: noStore,
}, async (t) => {
  const s3 = await startS3(t);
  const {
    S3_ENDPOINT = "",
    S3_ACCESS_KEY_ID = "",
    S3_SECRET_ACCESS_KEY = "",
  } = s3.environment as Environment;
  let kill = (_count: number): void => {};
  const gate = await startGate(t, S3_ENDPOINT, (count) => kill(count));
  const { env } = await filled(t, {
    BACKUP_TO: "s3://recordings/nightly",
    BACKUP_S3_ENDPOINT: gate.url,
    BACKUP_S3_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
    BACKUP_S3_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
  });
  // The plan, two recordings, the list, the database, the manifest.
  const all = [1, 2, 3, 4, 5, 6];
  for (const nth of complete ? all : [3, 6]) {
    gate.again();
    const { child, end } = begin(env, "backup", "--recordings");
    kill = (count) => {
      if (count === nth) child.kill("SIGKILL");
    };
    const { code } = await end;
    assert.equal(code, null, `killed at request ${nth}`);
    kill = () => {};
    await assertWhole(env);
  }
  const { value, said } = await parley(env, "backup", "--recordings");
  assert.ok(value, said);
  assert.ok((await assertWhole(env)).includes(value.name));
});

test("P-OPS-9: on a full disk a backup says so, and earlier ones stay as they were", async (t) => {
  const disk = await smallDisk(t, "8m");
  if (disk === undefined) return t.skip("no file system may be mounted here");
  const folder = join(disk, "kept");
  await mkdir(folder);
  const { place, env } = await filled(t, { BACKUP_TO: folder });
  await addFilm(place, "large", 16_000_000);
  const [former] = await assertWhole(env);
  const { code, said } = await parley(env, "backup", "--recordings");
  assert.equal(code, 1);
  assert.match(said, /The disk is full: nothing of this backup counts.*--keep-daily/);
  assert.deepEqual(await assertWhole(env), [former]);
  assert.ok(!existsSync(join(folder, "parley-recordings/o1/r0/large/480p.mp4")));
});
