// Runs: both

import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { backUp } from "../../server/db/backup/backup.ts";
import { restore } from "../../server/db/backup/restore.ts";
import { migrate } from "../../server/db/migrate.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import type { Migration } from "../../server/db/migrations/migration.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { secret } from "./command-line.ts";
import { contents, fill, opened } from "./rows.ts";

/** Simulates a later version of Parley, with one more migration, until the test ends. */
const later = (t: TestContext, number: number): void => {
  const list = migrations as Migration[];
  const made: Migration = {
    name: `900${number}-later`,
    up: async (db) => {
      await sql`alter table rooms add column ${sql.ref(`later_${number}`)} text`.execute(db);
      await sql`update rooms set ${sql.ref(`later_${number}`)} = 'filled'`.execute(db);
    },
  };
  list.push(made);
  t.after(() => list.splice(list.indexOf(made), 1));
};

test("before a migration a database that holds data is backed up, and the last three such backups are kept", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  const backups = join(place.dataDir, "backups");
  await fill(place, 20);
  await assert.rejects(readdir(backups), "an empty database needs no backup");
  const before = await contents(place);
  for (const number of [1, 2, 3, 4]) {
    later(t, number);
    const said: string[] = [];
    await opened(place, (database) => migrate(database, (line) => said.push(line)));
    assert.match(said[0] ?? "", new RegExp(`before-900${number}-later-.*db`));
    if (number > 1) continue;
    const [name = ""] = await readdir(backups);
    const old = { databaseUrl: undefined, dataDir: join(place.dataDir, "old") };
    await mkdir(old.dataDir);
    await copyFile(join(backups, name), join(old.dataDir, "parley.db"));
    assert.deepEqual(await contents(old), before);
  }
  const kept = await readdir(backups);
  assert.deepEqual(kept.map((name) => name.slice(0, 11)).sort(), [
    "before-9002",
    "before-9003",
    "before-9004",
  ]);
});

test("if the backup before a migration fails, nothing is migrated", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 1);
  later(t, 1);
  await writeFile(join(place.dataDir, "backups"), "no folder");
  await opened(place, async (database) => {
    await assert.rejects(migrate(database), /could not be backed up/);
    assert.equal(await database.ready(), false);
  });
});

test("a backup of an older version is brought up to date when it is restored", async (t) => {
  const [source, target] = [await emptyPlace(t), await emptyPlace(t)];
  const file = join(source.dataDir, "old.db");
  await fill(source, 20);
  await backUp(source, file);
  later(t, 1);
  // The newer program can still back up what it has not migrated yet.
  await backUp(source, file, { force: true });
  await restore({ ...target, secret }, file, {
    force: false,
    yes: true,
    sendLetters: false,
    newKey: false,
  });
  await opened(target, async (database) => {
    assert.equal(await database.ready(), true);
    const { rows } = await sql<{
      readonly count: number;
    }>`select count(*) as count from rooms where later_1 = 'filled'`.execute(database.read);
    assert.equal(Number(rows[0]?.count), 20);
  });
  if (!onPostgres)
    assert.deepEqual(
      await readdir(target.dataDir).then((names) => names.filter((name) => name === "backups")),
      [],
    );
});
