// Runs: sqlite-first, waits

import assert from "node:assert/strict";
import { readdir, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { smallDisk } from "../faults/small-disk.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { startWorld } from "../world/world.ts";
import { environmentOf, parley } from "./command-line.ts";
import { contents, fill, opened } from "./rows.ts";

const confirmed = ["--yes", "--force"];

/** A backup with this many rooms. */
const backupOf = async (t: TestContext, rooms: number): Promise<string> => {
  const place = await emptyPlace(t);
  await fill(place, rooms);
  const file = join(place.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(place), "backup", file)).code, 0);
  return file;
};

const refused = async (place: DatabaseConfig, why: RegExp, ...args: string[]): Promise<void> => {
  const { code, said } = await parley(environmentOf(place), "restore", ...args);
  assert.match(said, why);
  assert.equal(code, 1);
};

test("the way back from a newer version leads to an empty database, which takes the backup", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  for (const newer of ["0999-colors-beside-0099", "0999-colors"]) {
    const [file, place, empty] = [await backupOf(t, 2), await emptyPlace(t), await emptyPlace(t)];
    await fill(place, 3);
    await opened(place, ({ schema }) =>
      schema.alone((db) =>
        sql`insert into kysely_migration (name, timestamp) values (${newer}, '')`.execute(db),
      ),
    );
    await refused(
      place,
      /has the tables of a newer Parley\. .*create database NAME owner ROLE.*set DATABASE_URL to it/,
      ...[file, ...confirmed],
    );
    assert.equal((await contents(place)).rooms?.length, 3);
    const { code, said } = await parley(environmentOf(empty), "restore", file, ...confirmed);
    assert.equal(code, 0, said);
    assert.equal((await contents(empty)).rooms?.length, 2);
  }
});

test("a restore replaces data only with the option for that", async (t) => {
  const [file, place] = [await backupOf(t, 7), await emptyPlace(t)];
  await fill(place, 3);
  const before = await contents(place);
  await refused(place, /--force/, file, "--yes");
  assert.deepEqual(await contents(place), before);
  const { code, value } = await parley(environmentOf(place), "restore", file, ...confirmed);
  assert.equal(code, 0);
  assert.equal((await contents(place)).rooms?.length, 7);
  if (onPostgres) return;
  await rename(value.keptAs, join(place.dataDir, "parley.db"));
  assert.deepEqual(await contents(place), before);
});

test("a restore is refused while a service runs on the database", async (t) => {
  const file = await backupOf(t, 1);
  const world = await startWorld(t);
  const { ask } = await world.organization();
  const { code, said } = await parley(world.environment, "restore", file, ...confirmed);
  assert.equal(code, 1);
  assert.match(
    said,
    onPostgres ? /Parley is connected to this database/ : /Another Parley serves \S+ already/,
  );
  assert.equal((await ask("listRooms")).status, 200);
});

test("on PostgreSQL a restore requires a confirmation that no service runs", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  await refused(await emptyPlace(t), /give --yes/, await backupOf(t, 1));
});

test("an invalid or damaged backup, or one of a newer version or another key, is refused and changes nothing", async (t) => {
  const [file, place] = [await backupOf(t, 50), await emptyPlace(t)];
  await fill(place, 3);
  const before = await contents(place);
  const made = async (name: string, change: (db: DatabaseSync) => void) => {
    const path = join(place.dataDir, name);
    await writeFile(path, await readFile(file));
    const db = new DatabaseSync(path);
    change(db);
    db.close();
    return path;
  };
  const strange = join(place.dataDir, "strange.db");
  const other = new DatabaseSync(strange);
  other.exec("create table organizations (id integer primary key)");
  other.close();
  await refused(
    place,
    /There is no file.*backup list/,
    join(place.dataDir, "nothing.db"),
    ...confirmed,
  );
  await writeFile(join(place.dataDir, "text.db"), "not a database");
  await refused(place, /not a Parley backup/, join(place.dataDir, "text.db"), ...confirmed);
  await refused(place, /not a Parley backup/, strange, ...confirmed);
  const short = await made("short.db", () => {});
  await truncate(short, 40_000);
  await refused(place, /is damaged/, short, ...confirmed);
  const broken = await made("broken.db", (db) =>
    db.exec("pragma foreign_keys = off; delete from users"),
  );
  await refused(place, /is damaged: A row of/, broken, ...confirmed);
  const newer = await made("newer.db", (db) =>
    db.exec("insert into kysely_migration values ('9999-later', '')"),
  );
  await refused(place, /newer Parley.*9999-later/, newer, ...confirmed);
  const { said } = await parley(
    { ...environmentOf(place), PARLEY_SECRET: "cd".repeat(32) },
    "restore",
    file,
    ...confirmed,
  );
  assert.match(said, /does not open what is stored/);
  assert.deepEqual(await contents(place), before);
  assert.deepEqual(
    (await readdir(place.dataDir)).filter((name) => name.includes("partial")),
    [],
  );
});

test("a backup without its key is refused, and can be restored with a new key", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const [file, place] = [await backupOf(t, 1), await emptyPlace(t)];
  const env = { DATA_DIR: place.dataDir };
  const { code, said } = await parley(env, "restore", file);
  assert.equal(code, 1);
  assert.match(said, /put its secret.key into/);
  assert.equal((await readdir(place.dataDir)).includes("secret.key"), false);
  const restored = await parley(env, "restore", file, "--new-key", "--send-letters");
  assert.equal(restored.code, 0, restored.said);
  assert.deepEqual([restored.value.lettersWithdrawn, restored.value.lettersWaiting], [1, 0]);
});

test("a database that no longer opens is replaced, and its files are kept", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const [file, place] = [await backupOf(t, 5), await emptyPlace(t)];
  for (const name of ["parley.db", "parley.db-wal"])
    await writeFile(join(place.dataDir, name), "rubbish ".repeat(800));
  await refused(place, /--force/, file);
  const { code, value, said } = await parley(environmentOf(place), "restore", file, "--force");
  assert.equal(code, 0, said);
  assert.match(await readFile(value.keptAs, "utf8"), /^rubbish /);
  assert.equal((await contents(place)).rooms?.length, 5);
});

test("leftovers of a killed service beside a moved database do not reach the restored one", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const [file, place] = [await backupOf(t, 5), await emptyPlace(t)];
  await fill(place, 3);
  const path = join(place.dataDir, "parley.db");
  const db = new DatabaseSync(path);
  db.exec("pragma journal_mode = wal; update rooms set name = 'old'");
  const log = await readFile(`${path}-wal`);
  db.close();
  await rename(path, `${path}.broken`);
  await writeFile(`${path}-wal`, log);
  const { code, value, said } = await parley(environmentOf(place), "restore", file);
  assert.equal(code, 0, said);
  assert.equal(value.keptAs, null);
  const { rooms = [] } = await contents(place);
  assert.equal(rooms.length, 5);
  assert.doesNotMatch(JSON.stringify(rooms), /"old"/);
  const kept = (await readdir(place.dataDir)).filter((name) => name.includes("before-restore"));
  assert.deepEqual(kept.length, 1);
  assert.match(kept[0] ?? "", /-wal$/);
  assert.deepEqual(await readFile(join(place.dataDir, kept[0] ?? "")), log);
});

test("a restore onto a full disk says so, and changes nothing", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const dataDir = await smallDisk(t, "2m");
  if (dataDir === undefined) return t.skip("no file system may be mounted here");
  const [file, place] = [await backupOf(t, 3_000), { databaseUrl: undefined, dataDir }];
  await refused(place, /^(?!.*damaged).*database or disk is full/s, file);
  assert.deepEqual(await readdir(dataDir), ["parley.lock"]);
});
