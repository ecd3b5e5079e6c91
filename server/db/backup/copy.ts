import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { BackupError, CopySideError } from "../errors.ts";
import { appliedMigrations, holdsData, runMigrations } from "../migrate.ts";
import type { Database } from "../open.ts";
import { type DatabaseConfig, isMissing } from "../place.ts";
import { kyselyOn, sqliteTypes } from "../sqlite/kysely.ts";
import { statementRunner } from "../sqlite/statements.ts";
import { countConnected, describePlace, withOwnDatabase } from "./place.ts";
import type { OnProgress } from "./sqlite-file.ts";

/** The content of a table: equal digests are equal rows. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/** One table on both sides, each read from its own database. */
export interface TableComparison {
  readonly table: string;
  readonly source: TableDigest;
  readonly target: TableDigest;
}

/** A copy that differs from its source, and was therefore not kept. */
export class CopyDiffers extends BackupError {
  readonly tables: readonly TableComparison[];
  constructor(tables: readonly TableComparison[]) {
    const differing = tables.filter(differs).map(({ table }) => table);
    super(
      `The copy differs in ${differing.join(", ")}; nothing of it was kept, and the target is as it was before.`,
    );
    this.tables = tables;
  }
}

const differs = ({ source, target }: TableComparison): boolean =>
  source.rows !== target.rows || source.digest !== target.digest;

const notEmpty = "The database to be filled holds data already.";

/**
 * Copies the whole database to an empty one. On SQLite no service may run on either of them; on
 * PostgreSQL one may go on, but its writes during the copy are not copied.
 *
 * @returns the tables, and how many connections services had to the source
 * @throws BackupError if there is nothing to copy or the target holds data; CopyDiffers; CopySideError
 */
export const copyTo = async (from: DatabaseConfig, to: DatabaseConfig, onProgress?: OnProgress) => {
  if (describePlace(from) === describePlace(to)) {
    throw new BackupError("Source and target are the same database.");
  }
  // Opening it would create it.
  if (isMissing(from)) {
    throw new BackupError(`There is no database in ${from.dataDir}.`);
  }
  return await onSide("source", from, async (source, hasData) => {
    if (!hasData) throw new BackupError(`There is nothing to copy in ${describePlace(from)}.`);
    return await onSide("target", to, async (target, hasData) => {
      // Checked again once nobody can write any more. Checked here as well: two names of one
      // database would wait for each other, and a target that is not empty fails sooner.
      if (hasData) throw new BackupError(notEmpty);
      const tables = await copyDatabase(source, target, { onProgress });
      return { tables, connected: await countConnected(source) };
    });
  });
};

/** Runs work on one side of a copy. @throws CopySideError if it cannot be opened and read */
const onSide = async <T>(
  side: CopySideError["side"],
  place: DatabaseConfig,
  work: (database: Database, hasData: boolean) => Promise<T>,
): Promise<T> => {
  let isOpen = false;
  try {
    return await withOwnDatabase(place, async (database) => {
      const hasData = await holdsData(database.read);
      isOpen = true;
      return await work(database, hasData);
    });
  } catch (error) {
    throw isOpen ? error : new CopySideError(side, error);
  }
};

export interface CopyOptions {
  /** True to replace the data in the target. */
  readonly replace?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Copies a database, of either kind, as it is at one moment: see `copyRows`.
 *
 * @throws BackupError if it has no tables of Parley
 */
export const copyDatabase = async (
  source: Database,
  target: Database,
  options: CopyOptions = {},
): Promise<TableComparison[]> => {
  // Outside the transaction: on PostgreSQL a missing table would end it.
  if ((await appliedMigrations(source.read)).length === 0)
    throw new BackupError("This database has no Parley data.");
  return await inTransaction(source, (from) => copyRows(from, target, options));
};

/**
 * Copies every row that `from` sees into a database, of either kind, and compares both before the
 * copy is kept: afterwards the target is as it was, or complete.
 *
 * @throws BackupError if the target holds data, CopyDiffers if the copy is not identical
 */
export const copyRows = async (
  from: Kysely<unknown>,
  target: Database,
  { replace = false, onProgress = () => {} }: CopyOptions = {},
): Promise<TableComparison[]> => {
  const migrations = await appliedMigrations(from);
  const tables = await shapeOf(migrations);
  if ((await appliedMigrations(target.read)).length === 0) {
    // The tables of the source, even if this version has newer ones.
    await target.schema.alone((db) => runMigrations(db, target.schema.types, migrations));
  }
  return await inTransaction(target, async (to) => {
    // First: the lock must come before this transaction's snapshot.
    await empty(to, target.name, tables, replace);
    refuseDifferent(migrations, await appliedMigrations(to));
    let [done, all] = [0, 0];
    for (const table of tables) all += await countRows(from, table);
    const compared: TableComparison[] = [];
    for (const table of tables) {
      const source = await digestOf(from, table, async (rows) => {
        await writeRows(to, table, rows);
        done += rows.length;
        onProgress(done, all);
      });
      compared.push({ table: table.name, source, target: await digestOf(to, table) });
      // Until autovacuum analyzes it, a minute later, plans would be those for an empty table.
      if (target.name === "postgres") await sql`analyze ${sql.table(table.name)}`.execute(to);
    }
    if (compared.some(differs)) throw new CopyDiffers(compared);
    return compared;
  });
};

/**
 * Runs work in one transaction, which sees one moment. Meanwhile nobody migrates, and on SQLite nobody
 * else writes.
 */
const inTransaction = <T>(
  { name, schema }: Database,
  work: (tx: Kysely<unknown>) => Promise<T>,
): Promise<T> =>
  schema.alone(async (db) => {
    if (name === "sqlite") return await work(db);
    return await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute(async (tx) => {
        // An administrator of the server may have set limits: they are meant for requests.
        await sql`set local statement_timeout = 0`.execute(tx);
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        await sql`set local lock_timeout = '10s'`.execute(tx);
        return await work(tx);
      });
  });

const refuseDifferent = (source: readonly string[], target: readonly string[]): void => {
  if (source.join() === target.join()) return;
  throw new BackupError(
    `The tables of the two databases are not of the same version (${source.at(-1)} and ${target.at(-1)}). ` +
      "Bring both up to date with `parley migrate`, or take an empty target.",
  );
};

/** Until the end of the transaction everybody else waits or sees the old data. */
const empty = async (
  tx: Kysely<unknown>,
  name: Database["name"],
  tables: readonly TableShape[],
  replace: boolean,
): Promise<void> => {
  const names = sql.join(tables.map((table) => sql.table(table.name)));
  if (name === "postgres") await sql`lock table ${names} in access exclusive mode`.execute(tx);
  if (!replace && (await holdsData(tx))) throw new BackupError(notEmpty);
  // Also the rows that `holdsData` ignores: those of migrations and of a first start.
  if (name === "postgres") await sql`truncate ${names}`.execute(tx);
  else
    for (const table of tables.toReversed())
      await sql`delete from ${sql.table(table.name)}`.execute(tx);
};

/** The shape of a table, as the copy needs it. */
interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key: rows are read, and compared, in their order. */
  readonly key: readonly string[];
}

/**
 * The tables that these migrations make, in the order in which they make them: a table comes after
 * those that it refers to. Read from an empty database, because a later migration could forget to
 * extend a list.
 */
const shapeOf = async (migrations: readonly string[]): Promise<TableShape[]> => {
  const empty = new DatabaseSync(":memory:");
  try {
    const db = kyselyOn<unknown>(statementRunner(empty));
    await runMigrations(db, sqliteTypes, migrations);
    const { rows } = await sql<{
      readonly table: string;
      readonly name: string;
      readonly pk: number;
    }>`
      select made.name as "table", columns.name, columns.pk
      from sqlite_schema as made, pragma_table_info(made.name) as columns
      where made.type = 'table' and made.name not glob 'sqlite_*' and made.name not glob 'kysely_*'
      order by made.rowid, columns.cid`.execute(db);
    return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
      name,
      columns: columns.map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .toSorted((one, other) => one.pk - other.pk)
        .map((column) => column.name),
    }));
  } finally {
    empty.close();
  }
};

/** A row by its columns. Both databases give the same values: texts, whole numbers, booleans, nulls. */
type Row = Readonly<Record<string, unknown>>;

/**
 * Rows read and written at a time. For the widest table, this is a third of the values that SQLite can
 * bind.
 */
const PIECE = 500;

/** Every row of a table in the order of its key, in pieces; each starts after the previous one. */
async function* readRows(db: Kysely<unknown>, table: TableShape): AsyncGenerator<readonly Row[]> {
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

const writeRows = async (
  db: Kysely<unknown>,
  { name, columns }: TableShape,
  rows: readonly Row[],
): Promise<void> => {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(db);
};

const countRows = async (db: Kysely<unknown>, { name }: TableShape): Promise<number> => {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from ${sql.table(name)}`.execute(db);
  return Number(rows[0]?.count);
};

/** Reads a table and computes its digest; `onRows` gets the rows. */
const digestOf = async (
  db: Kysely<unknown>,
  table: TableShape,
  onRows: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<TableDigest> => {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of readRows(db, table)) {
    // JSON tells "1", 1 and true apart, and null from "null"; one row per line.
    const lines = rows.map((row) => JSON.stringify(table.columns.map((column) => row[column])));
    hash.update(`${lines.join("\n")}\n`);
    count += rows.length;
    await onRows(rows);
  }
  return { rows: count, digest: hash.digest("hex") };
};
