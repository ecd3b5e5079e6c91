import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { runMigrations } from "../migrate.ts";
import { kyselyOn } from "../sqlite/kysely.ts";
import { sqliteTypes } from "../sqlite/types.ts";

/** What has to be known of a table to copy it. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key: rows are read, and compared, in their order. */
  readonly key: readonly string[];
}

/**
 * The tables that these migrations make, those that others refer to before them. Read from an empty
 * database: no list that a later migration could forget to lengthen.
 */
export const shapeOf = async (migrations: readonly string[]): Promise<TableShape[]> => {
  const empty = new DatabaseSync(":memory:");
  try {
    const db = kyselyOn<unknown>(empty, () => {});
    await runMigrations(db, sqliteTypes, migrations);
    const { rows } = await sql<{ readonly name: string }>`
      select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not glob 'sqlite_*' and name not glob 'kysely_*'
      order by name`.execute(db);
    return await inOrder(
      db,
      rows.map(({ name }) => name),
    );
  } finally {
    empty.close();
  }
};

const inOrder = async (db: Kysely<unknown>, names: string[]): Promise<TableShape[]> => {
  const ordered: TableShape[] = [];
  let left = names;
  while (left.length > 0) {
    const waiting: string[] = [];
    for (const name of left) {
      const { rows } = await sql<{ readonly parent: string }>`
        select "table" as parent from pragma_foreign_key_list(${name})`.execute(db);
      const free = rows.every(({ parent }) => parent === name || !left.includes(parent));
      if (free) ordered.push(await tableShape(db, name));
      else waiting.push(name);
    }
    if (waiting.length === left.length) throw new Error(`These refer to each other: ${waiting}.`);
    left = waiting;
  }
  return ordered;
};

const tableShape = async (db: Kysely<unknown>, name: string): Promise<TableShape> => {
  const { rows } = await sql<{ readonly name: string; readonly pk: number }>`
    select name, pk from pragma_table_info(${name}) order by cid`.execute(db);
  const key = rows.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
  return { name, columns: rows.map((row) => row.name), key: key.map((row) => row.name) };
};
