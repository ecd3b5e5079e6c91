import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { runMigrations } from "../migrate.ts";
import { kyselyOn, sqliteTypes } from "../sqlite/kysely.ts";

/** The shape of a table, as the copy needs it. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key: rows are read, and compared, in their order. */
  readonly key: readonly string[];
}

/**
 * The tables that these migrations make; a table comes after those that it refers to. Read from an
 * empty database, because a later migration could forget to extend a list.
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

/** A row by its columns. Both databases give the same values: texts, whole numbers, booleans, nulls. */
export type Row = Readonly<Record<string, unknown>>;

/** The content of a table: equal digests are equal rows. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/** Rows read and written at a time. Its widest table takes a third of the values that SQLite can bind. */
const PIECE = 500;

/** Every row of a table in the order of its key, in pieces; each starts after the previous one. */
export async function* readRows(
  db: Kysely<unknown>,
  table: TableShape,
): AsyncGenerator<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const after: Row | undefined = last;
    const from =
      after && sql`where (${key}) > (${sql.join(table.key.map((column) => after[column]))})`;
    const { rows } = await sql<Row>`
      select ${columns} from ${sql.table(table.name)} ${from ?? sql``}
      order by ${key} limit ${sql.lit(PIECE)}`.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < PIECE) return;
    // SQLite answers synchronously: without this, no signal and no timer would get its turn.
    await nextTurn();
  }
}

/** Writes rows as they were read. */
export const writeRows = async (
  db: Kysely<unknown>,
  table: TableShape,
  rows: readonly Row[],
): Promise<void> => {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(
    db,
  );
};

export const countRows = async (db: Kysely<unknown>, table: TableShape): Promise<number> => {
  const { rows } = await sql<{ readonly rows: number }>`
    select count(*) as rows from ${sql.table(table.name)}`.execute(db);
  return Number(rows[0]?.rows);
};

/** Computes the digest of rows that come in pieces. */
export const startDigest = (
  table: TableShape,
): {
  add(rows: readonly Row[]): void;
  end(): TableDigest;
} => {
  const hash = createHash("sha256");
  let count = 0;
  return {
    add(rows) {
      // JSON tells "1", 1 and true apart, and null from "null"; one row per line.
      const lines = rows.map((row) => JSON.stringify(table.columns.map((column) => row[column])));
      hash.update(lines.join("\n")).update("\n");
      count += rows.length;
    },
    end: () => ({ rows: count, digest: hash.digest("hex") }),
  };
};
