// Runs: postgres-first, first

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { smallDisk } from "../faults/small-disk.ts";
import type { Ask } from "../world/ask.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { begin, environmentOf, parley, secret } from "./command-line.ts";
import { faults, fill } from "./rows.ts";

/** The pause of a writer after each person: a short run leaves the processor to the command. */
const PAUSE_MS = count(50, 0);

/** Creates people and rooms, and removes rooms, until stopped; returns the acknowledged names. */
const writeTo = (
  ask: Ask,
): { readonly acknowledged: string[]; readonly asked: string[]; stop(): Promise<void> } => {
  const acknowledged: string[] = [];
  const asked: string[] = [];
  let stopped = false;
  const writer = async (writer: number) => {
    for (let n = 0; !stopped; n += 1) {
      const name = `${writer}-${n}`;
      asked.push(name);
      const person = {
        name,
        email: `${name}@example.org`,
        role: "moderator",
        meetNowEnabled: false,
        loginUrl: "https://example.org/",
        location: "here",
      };
      const { status, body, text } = await ask("createUser", {
        ...person,
        admin: false,
        tags: [],
        displayRating: false,
      });
      assert.equal(status, 201, text);
      for (const suffix of ["kept", "gone"]) {
        const room = {
          name: `${name} ${suffix}`,
          room: `${name}-${suffix}`,
          roomOwnerId: body.user.id,
        };
        const made = await ask("createRoom", room);
        assert.equal(made.status, 201, made.text);
      }
      const gone = await ask("deleteRoom", { id: `${name}-gone` });
      assert.equal(gone.status, 200, gone.text);
      acknowledged.push(name);
      await sleep(PAUSE_MS);
    }
  };
  const writers = Promise.all(Array.from({ length: 6 }, (_, n) => writer(n)));
  writers.catch(() => {});
  return {
    acknowledged,
    asked,
    async stop() {
      stopped = true;
      await writers;
    },
  };
};

const namesIn = (file: string): Set<string> => {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db
    .prepare(
      "select name from users where exists (select 1 from rooms where room = users.name || '-kept')",
    )
    .all();
  db.close();
  return new Set(rows.map(({ name }) => String(name)));
};

test("P-OPS-9: a backup made during writes is the database at one moment", async (t) => {
  // No mail server listens there: letters wait.
  const house = await openHouse(t, { environment: { SMTP_URL: "smtp://127.0.0.1:9?tls=none" } });
  const { askAt } = await house.beside((world) => world.organization());
  const service = await startProcess(t, house.environment);
  const writing = writeTo(askAt(service.url));
  t.after(() => writing.stop().catch(() => {}));
  const files: string[] = [];
  for (let n = 1; n <= 3; n += 1) {
    const before = [...writing.acknowledged];
    const file = join(house.environment.DATA_DIR ?? "", `${n}.db`);
    // As a separate process: in this one nothing would be written meanwhile.
    const { code, said, value } = await begin(house.environment, "backup", file).end;
    assert.equal(code, 0, said);
    const asked = new Set(writing.asked);
    const found = namesIn(file);
    assert.deepEqual(
      before.filter((name) => !found.has(name)),
      [],
      "acknowledged before it, and not in it",
    );
    assert.deepEqual(
      [...found].filter((name) => !asked.has(name)),
      [],
      "in it, and asked for after it",
    );
    assert.deepEqual(faults(file), []);
    assert.ok(value.rows.rooms >= before.length);
    files.push(file);
  }
  await writing.stop();
  assert.ok(writing.acknowledged.length > 0);

  // A twin, to show that the check finds inconsistencies: people of one moment, rooms of another.
  const twin = new DatabaseSync(files[0] ?? "");
  twin.exec(
    `attach '${files[2]}' as later; pragma foreign_keys = off; delete from rooms; insert into rooms select * from later.rooms; pragma foreign_keys = on`,
  );
  twin.close();
  assert.notDeepEqual(faults(files[0] ?? ""), []);
});

test("a backup is for its owner only, holds no key, and leaves nothing else behind", async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 30);
  const file = join(place.dataDir, "made", "backup.db");
  await mkdir(join(place.dataDir, "made"));
  const { code, value, said } = await parley(environmentOf(place), "backup", file);
  assert.equal(code, 0, said);
  assert.equal(value.rows.rooms, 30);
  assert.equal(((await stat(file)).mode & 0o777).toString(8), "600");
  assert.deepEqual(await readdir(join(place.dataDir, "made")), ["backup.db"]);
  const bytes = await readFile(file);
  for (const hidden of [secret, Buffer.from(secret, "hex"), "SENTINEL"])
    assert.equal(bytes.includes(hidden), false);
});

test("a backup overwrites a file only with the option for that", async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 1);
  const file = join(place.dataDir, "backup.db");
  await writeFile(file, "mine");
  const refused = await parley(environmentOf(place), "backup", file);
  assert.equal(refused.code, 1);
  assert.match(refused.said, /exists already; --force writes over it/);
  assert.equal(await readFile(file, "utf8"), "mine");
  const { code } = await parley(environmentOf(place), "backup", file, "--force");
  assert.equal(code, 0);
  assert.deepEqual(
    faults(file).filter((fault) => !fault.startsWith("letters")),
    [],
  );
});

/** The commands that write a file which an operator names, without its path. */
const writers = [["backup"], ["org", "export", "Acme"]] as const;

/** An installation with one organization, which can be exported. */
const withAcme = async (t: TestContext) => {
  const env = environmentOf(await emptyPlace(t));
  for (const command of [["migrate"], ["org", "create", "Acme"]]) {
    const { code, said } = await parley(env, ...command);
    assert.equal(code, 0, said);
  }
  return env;
};

test("neither a backup nor an export makes a folder for a file whose folder is mistyped", async (t) => {
  const env = await withAcme(t);
  const folder = join(env.DATA_DIR ?? "", "nowhere");
  for (const command of writers) {
    const { code, said } = await parley(env, ...command, join(folder, "file"));
    assert.equal(code, 1);
    assert.ok(said.includes(`There is no folder ${folder}: make it, or give another path.`), said);
    assert.ok(!existsSync(folder));
  }
});

test("a backup or an export into a file on a full disk says so, and leaves nothing there", async (t) => {
  const disk = await smallDisk(t, "64k");
  if (disk === undefined) return t.skip("no file system may be mounted here");
  const env = await withAcme(t);
  await writeFile(join(disk, "other"), Buffer.alloc(65_536));
  for (const command of writers) {
    const { code, said } = await parley(env, ...command, join(disk, "file"));
    assert.equal(code, 1);
    assert.match(said, /disk is full\. Make room where this command writes/);
    assert.deepEqual(await readdir(disk), ["other"]);
  }
});

test("an export that meets a row which it cannot read fails, and leaves no file", async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 1);
  const { code, said } = await parley(
    environmentOf(place),
    "org",
    "export",
    "o1",
    join(place.dataDir, "acme.zip"),
  );
  assert.equal(code, 1, "the rooms of `fill` are no rooms");
  assert.match(said, /readRoom/);
  assert.ok(!(await readdir(place.dataDir)).some((name) => name.includes("acme")));
});

test("a backup of a database on a disk that has become read-only says so", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const dataDir = await smallDisk(t, "16m");
  if (dataDir === undefined) return t.skip("no file system may be mounted here");
  const place = { databaseUrl: undefined, dataDir };
  await fill(place, 1);
  execFileSync("mount", ["-o", "remount,ro", dataDir]);
  const { dataDir: folder } = await emptyPlace(t);
  const { code, said } = await parley(environmentOf(place), "backup", join(folder, "backup.db"));
  assert.equal(code, 1);
  assert.match(
    said,
    /parley\.db is on a disk that cannot be written to, or not in ReadWritePaths of the systemd unit\. Set DATA_DIR to another folder\./,
  );
  const { value } = await parley({ ...environmentOf(place), RECORDERS: "0" }, "doctor");
  const { found } = value.checks.find(({ name }: { name: string }) => name === "data folder");
  assert.match(found, /is on a disk that cannot be written to/);
});

test("a backup never overwrites the database itself", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 1);
  const file = join(place.dataDir, "parley.db");
  const { code, said } = await parley(environmentOf(place), "backup", file, "--force");
  assert.equal(code, 1);
  assert.match(said, /is the database itself/);
});

test("an interrupted backup leaves no file behind", async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 3_000);
  const folder = join(place.dataDir, "made");
  await mkdir(folder);
  const { child, end } = begin(environmentOf(place), "backup", join(folder, "backup.db"));
  const watcher = watch(folder, () => child.kill("SIGINT"));
  const { code } = await end;
  watcher.close();
  // It may have finished between two of its steps.
  assert.deepEqual(await readdir(folder), code === 0 ? ["backup.db"] : []);
});

test("without a database, a backup says so and creates none", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  const { code, said } = await parley(
    environmentOf(place),
    "backup",
    join(place.dataDir, "backup.db"),
  );
  assert.equal(code, 1);
  assert.match(said, /There is no Parley in/);
  assert.deepEqual(await readdir(place.dataDir), []);
});

test("if a database has no tables yet, a backup says so and leaves no file", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const place = await emptyPlace(t);
  const file = join(place.dataDir, "made", "backup.db");
  await mkdir(join(place.dataDir, "made"));
  const { code, said } = await parley(environmentOf(place), "backup", file);
  assert.equal(code, 1);
  assert.match(said, /no Parley data/);
  assert.deepEqual(await readdir(join(place.dataDir, "made")), []);
});
