import { sql } from "kysely";
import type { Database } from "./database.ts";

/** The version and the faults of a database, for the operator. */
export interface Diagnosis {
  /** The version of the PostgreSQL server; undefined for SQLite. */
  readonly server: string | undefined;
  /** The damage in the file of SQLite, if any. */
  readonly damage: string | undefined;
}

/** Checks a database; on SQLite the whole file. */
export const diagnose = async ({ name, read }: Database): Promise<Diagnosis> => {
  if (name === "postgres") {
    const { rows } = await sql<{ readonly version: string }>`
      select current_setting('server_version') as version`.execute(read);
    return { server: rows[0]?.version, damage: undefined };
  }
  const { rows } = await sql<{ readonly quick_check: string }>`pragma quick_check(1)`.execute(read);
  const found = rows[0]?.quick_check ?? "no answer";
  return { server: undefined, damage: found === "ok" ? undefined : found };
};
