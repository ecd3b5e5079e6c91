// Runs: both

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { root } from "../../packaging/folder.ts";
import { CopyDiffers, copyDatabase } from "../../server/db/backup/copy.ts";
import { openDatabase } from "../../server/db/open.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { blocksOf } from "../site/shell.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { environmentOf, parley } from "./command-line.ts";
import { contents, fill, opened } from "./rows.ts";

/** A separate data folder, for a SQLite database. */
const folder = async (t: TestContext): Promise<DatabaseConfig> => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-copy-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  return { databaseUrl: undefined, dataDir };
};

const urlOf = ({ databaseUrl, dataDir }: DatabaseConfig) => databaseUrl ?? `sqlite:${dataDir}`;

test("a copy to the other database and back holds every row as it was", async (t) => {
  const [first, between, last] = [await folder(t), await emptyPlace(t), await folder(t)];
  await fill(first, 1_234);
  const before = await contents(first);
  assert.deepEqual(
    Object.entries(before).filter(([, rows]) => rows.length === 0),
    [],
    "nothing of a table is shown by its absence",
  );
  const there = await parley(environmentOf(first), "copy", "--to", urlOf(between));
  assert.equal(there.code, 0, there.said);
  assert.deepEqual(await contents(between), before);
  const back = await parley(
    environmentOf(between),
    "copy",
    "--from",
    urlOf(between),
    "--to",
    urlOf(last),
  );
  assert.equal(back.code, 0, back.said);
  assert.deepEqual(await contents(last), before);
  assert.deepEqual(back.value, there.value);
  const rooms = there.value.tables.find((one: { readonly table: string }) => one.table === "rooms");
  assert.deepEqual([rooms.source.rows, rooms.identical, there.value.copied], [1_234, true, true]);
});

test("the database that docs/scaling.md has made takes a copy", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const source = await folder(t);
  await fill(source, 3);
  const file = "docs/scaling.md";
  const [block] = blocksOf(file, readFileSync(join(root, file), "utf8"), "sql");
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  const administrator = new Client({ connectionString: url.href });
  const name = `copied_${randomBytes(6).toString("hex")}`;
  await administrator.connect();
  t.after(async () => {
    await administrator.query(`drop database if exists ${name} with (force)`);
    await administrator.query(`drop role if exists ${name}`);
    await administrator.end();
  });
  // A statement at a time, as psql does: a database is made outside of transactions.
  for (const statement of block?.text.trim().split("\n") ?? []) {
    await administrator.query(statement.replaceAll("parley", name));
  }
  Object.assign(url, { username: name, password: "password", pathname: `/${name}` });
  const { code, said } = await parley(environmentOf(source), "copy", "--to", url.href);
  assert.equal(code, 0, said);
  assert.deepEqual(await contents({ ...source, databaseUrl: url.href }), await contents(source));
});

test("a copy is refused if the target holds data, if there is nothing to copy, and onto itself", async (t) => {
  const [full, target, empty] = [await folder(t), await emptyPlace(t), await folder(t)];
  await fill(full, 3);
  await fill(target, 2);
  const before = await contents(target);
  const refused = async (from: DatabaseConfig, to: DatabaseConfig, why: RegExp) => {
    const { code, said } = await parley(
      environmentOf(full),
      "copy",
      "--from",
      urlOf(from),
      "--to",
      urlOf(to),
    );
    assert.match(said, why);
    assert.equal(code, 1);
  };
  await refused(full, target, /holds data already/);
  await refused(empty, target, /There is no database in/);
  await refused(target, target, /the same database/);
  assert.deepEqual(await contents(target), before);
});

test("a database of a copy that does not open is named as it was given", async (t) => {
  const [source, other] = [await folder(t), await folder(t)];
  await fill(source, 1);
  const away = "postgres://u:p@127.0.0.1:9/d";
  const unsupported = await emptyPlace(t);
  const said = async (...args: string[]): Promise<string> => {
    const { code, said } = await parley(environmentOf(source), "copy", ...args);
    assert.equal(code, 1);
    assert.doesNotMatch(said, /DATABASE_URL|DATA_DIR|\n\s+at /);
    return said;
  };
  assert.match(await said("--to", away), /cannot be reached .*Start it, or check --to\./);
  const from = ["--from", away, "--to", urlOf(other)];
  assert.match(await said(...from), /cannot be reached .*Start it, or check --from\./);
  const held = await openDatabase(other, { service: true, poolSize: 2 });
  t.after(() => held.close());
  assert.match(
    await said("--to", urlOf(other)),
    /Another Parley serves \S+ already\. Stop it first, or choose another folder with --to\./,
  );
  if (unsupported.databaseUrl === undefined) return;
  const missing = new URL(unsupported.databaseUrl);
  missing.pathname = "/nowhere";
  assert.match(await said("--to", missing.href), /nowhere\\" does not exist.* correct its URL/);
});

test("a copy that differs from its source is detected, reported and not kept", async (t) => {
  const [source, target] = [await folder(t), await emptyPlace(t)];
  await fill(source, 700);
  // A twin: a target that alters its data, as a wrong encoding or a truncating column would.
  await opened(target, async (database) => {
    const { migrate } = await import("../../server/db/migrate.ts");
    await migrate(database);
    await database.schema.alone(async (db) => {
      if (!onPostgres) {
        await sql`create trigger twin after insert on rooms when new.id = 'r600' begin update rooms set name = name || ' ' where id = new.id; end`.execute(
          db,
        );
        return;
      }
      await sql`create function twin() returns trigger language plpgsql as $$ begin new.name = new.name || ' '; return new; end $$`.execute(
        db,
      );
      await sql`create trigger twin before insert on rooms for each row when (new.id = 'r600') execute function twin()`.execute(
        db,
      );
    });
  });
  await opened(source, (from) =>
    opened(target, async (to) => {
      await assert.rejects(copyDatabase(from, to), (error) => {
        assert.ok(error instanceof CopyDiffers);
        assert.deepEqual(
          error.tables
            .filter((one) => one.source.digest !== one.target.digest)
            .map((one) => one.table),
          ["rooms"],
        );
        return true;
      });
    }),
  );
  const { rooms, users, organizations } = await contents(target);
  assert.deepEqual([rooms, users, organizations], [[], [], []]);
});
