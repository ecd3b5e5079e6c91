// Runs: both

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { environmentOf, parley } from "./command-line.ts";
import { contents, fill, opened } from "./rows.ts";

/** A place with some rows, and a manipulated backup of it. */
const changed = async (t: TestContext, change: string) => {
  const place = await emptyPlace(t);
  await fill(place, 30);
  const file = join(place.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(place), "backup", file)).code, 0);
  const db = new DatabaseSync(file);
  db.exec(change);
  db.close();
  return { place, file };
};

const restored = async (t: TestContext, file: string): Promise<DatabaseConfig> => {
  const place = await emptyPlace(t);
  const { code, said } = await parley(environmentOf(place), "restore", file, "--yes");
  assert.equal(code, 0, said);
  return place;
};

test("only rows are restored from a backup: no trigger, view, table or index that is not Parley's", async (t) => {
  const { file } = await changed(
    t,
    `create trigger spy after update on users begin update users set admin = 1; end;
     create view everybody as select * from users;
     create table spoils (password text);
     drop index if exists letters_user_id_index;
     create index spy_index on users (email);`,
  );
  const place = await restored(t, file);
  if (onPostgres) return;
  const schemaOf = (path: string) => {
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare("select type, name, sql from sqlite_schema order by name").all();
    db.close();
    return rows.map((row) => ({ ...row }));
  };
  const fresh = await emptyPlace(t);
  await fill(fresh, 1);
  assert.deepEqual(
    schemaOf(join(place.dataDir, "parley.db")),
    schemaOf(join(fresh.dataDir, "parley.db")),
  );
});

test("a backup whose tables lack a column is refused, and changes nothing", async (t) => {
  const { place, file } = await changed(t, "alter table users drop column location");
  const before = await contents(place);
  const { code, said } = await parley(environmentOf(place), "restore", file, "--yes", "--force");
  assert.equal(code, 1);
  assert.match(said, /is damaged: no such column/);
  assert.deepEqual(await contents(place), before);
});

test("a backup's counters are not trusted: they are counted again", async (t) => {
  const { file } = await changed(
    t,
    `update organizations set used_rooms = 0, used_users = 99, users_by_role = '[["boss", 5, 5]]',
       history_number = 1;
     update webhooks set state = 'on'`,
  );
  const place = await restored(t, file);
  await opened(place, async ({ read }) => {
    const row = await read.selectFrom("organizations").selectAll().executeTakeFirstOrThrow();
    const { used_rooms, used_users, users_by_role, webhooks, history_number } = row;
    assert.deepEqual([used_rooms, used_users, webhooks], [30, 2, 1]);
    assert.equal(history_number, 2, "the number of the last entry");
    const roles = (JSON.parse(users_by_role) as [string, number, number][]).map(([role]) => role);
    assert.ok(!roles.includes("boss"));
  });
});

test("a folder in place of a backup file is refused without a stack trace", async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 1);
  for (const more of [[], ["--force"]]) {
    const { code, said } = await parley(environmentOf(place), "backup", place.dataDir, ...more);
    assert.equal(code, 1);
    assert.match(said, /is a folder: give the name of a file/);
    assert.doesNotMatch(said, /\n\s+at /);
  }
  const { code, said } = await parley(
    environmentOf(place),
    "restore",
    place.dataDir,
    "--force",
    "--yes",
  );
  assert.equal(code, 1);
  assert.match(said, /is a folder: give a file, or .*latest --from .* for the newest backup in it/);
});

test("a service that lacks its key does not create a new one", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  await fill(place, 1);
  const env = { DATA_DIR: place.dataDir, PORT: "0" };
  for (let n = 0; n < 2; n += 1) {
    const { code, said } = await parley(env, "start");
    assert.notEqual(code, 0);
    assert.match(said, /secret\.key is missing/);
  }
  await assert.rejects(readFile(join(place.dataDir, "secret.key")), { code: "ENOENT" });
});
