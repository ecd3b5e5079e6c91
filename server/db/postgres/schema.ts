import { Kysely, PostgresDialect, sql } from "kysely";
import type { Pool } from "pg";
import type { SchemaAccess } from "../migrations/migration.ts";

/** An arbitrary lock number: "parley" on a telephone's keys. */
const LOCK = 727539;

/** PostgreSQL as the migrations use it: no time limits, one process at a time. */
export const postgresSchema = (openPool: () => Pool): SchemaAccess => ({
  types: {
    // Texts compare byte by byte, as on SQLite, whatever the database's locale is.
    text: sql`text collate "C"`,
    integer: sql`integer`,
    bigint: sql`bigint`,
    boolean: sql`boolean`,
    inKeyOrder: sql``,
  },
  async alone<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openPool() }) });
    try {
      // The lock is on its own connection: it ends with that connection, and so with the process.
      return await db.connection().execute(async (lock) => {
        await sql`select pg_advisory_lock(${LOCK})`.execute(lock);
        await makeClock(lock);
        return await work(db);
      });
    } finally {
      await db.destroy();
    }
  },
});

/** Makes `parley_now(offset_ms)`: see now.ts. */
const makeClock = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<{ readonly known: boolean }>`
    select to_regprocedure('parley_now(bigint)') is not null as known`.execute(db);
  if (rows[0]?.known === true) return;
  // Stable, although time passes: PostgreSQL does not compare an index with a volatile function.
  await sql`
    create function parley_now(offset_ms bigint) returns text language sql stable as $$
      select to_char(
        (clock_timestamp() + offset_ms * interval '1 millisecond') at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    $$`.execute(db);
};
