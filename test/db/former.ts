import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type Kysely, sql } from "kysely";
import { openDatabase } from "../../server/db/open.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";

interface Former {
  /** The migrations of the development. */
  readonly names: readonly string[];
  /** Their statements on the tables, with `TEXT` and `IN KEY ORDER` where the databases differ. */
  readonly statements: readonly string[];
  /** Something in every table, as `fill` of test/moving/rows.ts left it then. */
  readonly rows: readonly { readonly table: string; readonly rows: readonly object[] }[];
}

/** Recorded from commit 26a71b22; `zcat test/db/former.json.gz` shows it. */
export const former: Former = JSON.parse(
  gunzipSync(readFileSync(new URL("former.json.gz", import.meta.url))).toString(),
);

const columnTypes = {
  sqlite: { text: "text", inKeyOrder: "without rowid" },
  postgres: { text: 'text collate "C"', inKeyOrder: "" },
};

/** Makes the tables of the last development version, with rows, and its list of these migrations. */
export const makeFormer = async (
  place: DatabaseConfig,
  names: readonly string[] = former.names,
): Promise<void> => {
  const database = await openDatabase(place);
  const { text, inKeyOrder } = columnTypes[database.name];
  await database.schema.alone(async (db) => {
    for (const statement of former.statements) {
      const made = statement.replaceAll(/\bTEXT\b/g, text).replaceAll("IN KEY ORDER", inKeyOrder);
      await sql.raw(made).execute(db);
    }
    for (const { table, rows } of former.rows) {
      await db
        .insertInto(table as never)
        .values(rows as never)
        .execute();
    }
    await makeList(db, names);
  });
  await database.close();
};

/** The list as the library for migrations keeps it. */
const makeList = async (db: Kysely<unknown>, names: readonly string[]): Promise<void> => {
  await sql`create table kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(db);
  await sql`create table kysely_migration_lock (
    id varchar(255) not null primary key, is_locked integer default 0 not null)`.execute(db);
  await sql`insert into kysely_migration_lock (id) values ('migration_lock')`.execute(db);
  const values = names.map((name) => sql`(${name}, '2026-11-27T22:00:00.000Z')`);
  await sql`insert into kysely_migration (name, timestamp) values ${sql.join(values)}`.execute(db);
};

/** The applied migrations as they are stored. */
export const storedNames = async <T>(db: Kysely<T>): Promise<string[]> => {
  const { rows } = await sql<{ readonly name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
};
