import { sql } from "kysely";
import type { Database } from "./database.ts";

/** The version and the faults of a database, for the operator. */
export interface Diagnosis {
  /** The version of the PostgreSQL server; undefined for SQLite. */
  readonly server: string | undefined;
  /** The damage in the file of SQLite, if any. */
  readonly damage: string | undefined;
}

/**
 * Checks a database.
 *
 * @param onTable called before each table of SQLite is checked; without it only the beginning of the file is read
 */
export const diagnose = async (
  { name, read }: Database,
  onTable?: (done: number, of: number) => void,
): Promise<Diagnosis> => {
  if (name === "postgres") {
    const { rows } = await sql<{ readonly version: string }>`
      select current_setting('server_version') as version`.execute(read);
    return { server: rows[0]?.version, damage: undefined };
  }
  const { rows: tables } = await sql<{ readonly name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(read);
  for (const [at, { name: table }] of onTable ? tables.entries() : []) {
    onTable?.(at, tables.length);
    const { rows } = await sql<{ readonly quick_check: string }>`
      pragma quick_check(${sql.lit(table)})`.execute(read);
    const found = rows[0]?.quick_check ?? "no answer";
    if (found !== "ok") return { server: undefined, damage: found };
  }
  onTable?.(tables.length, tables.length);
  return { server: undefined, damage: undefined };
};
