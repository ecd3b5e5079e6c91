import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { BackupError } from "../errors.ts";
import { holdsData } from "../migrate.ts";
import type { TableShape } from "./copy-rows.ts";

/** Reads a database as it is at one moment. Meanwhile nobody migrates it, and on SQLite nobody writes. */
export const reading = async <T>(
  database: Database,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> =>
  await database.schema.alone(async (db) => {
    if (database.name === "sqlite") return await work(db);
    const transaction = db.transaction().setIsolationLevel("repeatable read");
    return await transaction.setAccessMode("read only").execute(async (tx) => {
      await takeTime(tx);
      return await work(tx);
    });
  });

/**
 * Fills a database in one transaction, alone: until its end everybody else waits or sees the old
 * data, and any error leaves the old data in place.
 */
export const filling = async <T>(
  database: Database,
  tables: readonly TableShape[],
  replace: boolean,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> => {
  const names = sql.join(tables.map(({ name }) => sql.table(name)));

  const refuseData = async (db: Kysely<unknown>): Promise<void> => {
    if (!replace && (await holdsData(db))) throw new BackupError(notEmpty);
  };

  return await database.schema.alone(async (db) => {
    if (database.name === "sqlite") {
      await refuseData(db);
      for (const { name } of tables.toReversed()) {
        await sql`delete from ${sql.table(name)}`.execute(db);
      }
      return await work(db);
    }
    return await db.transaction().execute(async (tx) => {
      await takeTime(tx);
      await sql`lock table ${names} in access exclusive mode`.execute(tx);
      await refuseData(tx);
      // Also the rows that `holdsData` ignores: those of migrations and of a first start.
      await sql`truncate ${names}`.execute(tx);
      const result = await work(tx);
      // Until autovacuum analyzes the tables, a minute later, plans would be those for empty tables.
      for (const { name } of tables) await sql`analyze ${sql.table(name)}`.execute(tx);
      return result;
    });
  });
};

export const notEmpty = "The database to be filled holds data already.";

/** Lifts limits that an administrator of the server may have set: they are meant for requests. */
const takeTime = async (tx: Kysely<unknown>): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
  await sql`set local lock_timeout = '10s'`.execute(tx);
};

/** The number of connections of Parley's services and commands to this PostgreSQL database; 0 on SQLite. */
export const countConnected = async (database: Database): Promise<number> => {
  if (database.name === "sqlite") return 0;
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'parley'`.execute(database.read);
  return Number(rows[0]?.count);
};
