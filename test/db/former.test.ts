// Runs: both

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { backUp } from "../../server/db/backup/backup.ts";
import { restore } from "../../server/db/backup/restore.ts";
import { OldDatabase } from "../../server/db/errors.ts";
import { migrate } from "../../server/db/migrate.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { run } from "../cli/run.ts";
import { environmentOf, secret } from "../moving/command-line.ts";
import { contents, opened } from "../moving/rows.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { former, makeFormer, storedNames } from "./former.ts";
import { shape } from "./shape.ts";

const present = migrations.map(({ name }) => name);

/** The rows of the fixture with the columns that it knows; later migrations may add some. */
const rowsOf = (found: Record<string, string[]>) =>
  former.rows.map(({ table, rows }) => {
    const columns = Object.keys(rows[0] ?? {}).sort();
    const known = (row: object) =>
      JSON.stringify(columns.map((column) => (row as Record<string, unknown>)[column]));
    const read = (found[table] ?? []).map((row) => known(Object.fromEntries(JSON.parse(row))));
    return { table, found: read.sort(), expected: rows.map(known).sort() };
  });

const assertRows = (found: Record<string, string[]>): void => {
  for (const { table, found: read, expected } of rowsOf(found)) {
    assert.deepEqual([table, read], [table, expected]);
  }
};

test("a database of the last development version is opened, with its rows and the tables of a new one", async (t) => {
  const [place, other] = [await emptyPlace(t), await emptyPlace(t)];
  await makeFormer(place);
  const before = await contents(place);
  assertRows(before);
  const said: string[] = [];
  const shapeOfAdopted = await opened(place, async (database) => {
    await migrate(database, (line) => said.push(line));
    assert.deepEqual(await storedNames(database.read), present);
    assert.deepEqual(await migrate(database), []);
    assert.equal(await database.ready(), true);
    return await shape(database);
  });
  assertRows(await contents(place));
  const shapeOfNew = await opened(other, async (database) => {
    await migrate(database);
    return await shape(database);
  });
  assert.deepEqual(shapeOfAdopted, shapeOfNew);
  if (onPostgres) return;
  assert.match(said.join("\n"), /before-0050-organizations-.*db/);
  const [backup = ""] = await readdir(join(place.dataDir, "backups"));
  assert.match(backup, /^before-0050-organizations-/);
});

test("four simultaneous starts on a development database replace its list once", async (t) => {
  const place = await emptyPlace(t);
  await makeFormer(place);
  const start = () => opened(place, (database) => migrate(database));
  await Promise.all([start(), start(), start(), start()]);
  await opened(place, async ({ read }) => assert.deepEqual(await storedNames(read), present));
  assertRows(await contents(place));
});

test("a list that cannot be replaced as a whole stays as it is", async (t) => {
  const place = await emptyPlace(t);
  // The names are deleted first; this one then stands in the way of the last that is inserted.
  const names = [...former.names, "0059-usage"];
  await makeFormer(place, names);
  await opened(place, async (database) => {
    await assert.rejects(migrate(database), /unique/i);
    assert.deepEqual(await storedNames(database.read), names.toSorted());
    await database.schema.alone((db) =>
      sql`delete from kysely_migration where name = '0059-usage'`.execute(db),
    );
    await migrate(database);
    assert.deepEqual(await storedNames(database.read), present);
  });
});

test("an older development database names the version by which it must be upgraded", async (t) => {
  const place = await emptyPlace(t);
  const older = former.names.slice(0, -1);
  await makeFormer(place, older);
  await opened(place, async (database) => {
    await assert.rejects(migrate(database), OldDatabase);
    assert.deepEqual(await storedNames(database.read), older);
  });
  for (const words of ["migrate", "org list", "doctor"]) {
    const { out, err, code } = await run(environmentOf(place), words);
    assert.match(out + err, /parley migrate" of commit 26a71b22 on it first/);
    assert.notEqual(code, 0);
  }
});

test("a backup of the last development version is restored", async (t) => {
  const [source, target] = [await emptyPlace(t), await emptyPlace(t)];
  const file = join(source.dataDir, "former.db");
  await makeFormer(source);
  await backUp(source, file);
  const options = { force: false, yes: true, sendLetters: true, newKey: false };
  await restore({ ...target, secret }, file, options);
  await opened(target, async ({ read }) => assert.deepEqual(await storedNames(read), present));
  const { tokens, ...others } = await contents(target);
  assert.deepEqual(tokens, [], "people sign in again");
  const { tokens: _, ...all } = await contents(source);
  // Later migrations make tables that the backup does not have.
  const restored = Object.keys(others).filter((table) => table in all);
  assert.deepEqual(restored, Object.keys(all));
  assert.deepEqual(others.rooms?.length, all.rooms?.length);
});
