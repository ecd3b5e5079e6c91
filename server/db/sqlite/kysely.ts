import type { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { kyselyAsking } from "../kysely-asking.ts";
import type { ColumnTypes } from "../migrations/migration.ts";
import { statementRunner } from "./statements.ts";

/**
 * Kysely on one SQLite connection. `beforeQuery` runs before each query and may refuse it; `onError`
 * gets the error of a failed query.
 */
export const kyselyOn = <T>(
  db: DatabaseSync,
  beforeQuery: () => void = () => {},
  onError: (error: unknown) => void = () => {},
): Kysely<T> => {
  const run = statementRunner(db);
  return kyselyAsking<T>("sqlite", async (query) => {
    beforeQuery();
    try {
      return run(query);
    } catch (error) {
      onError(error);
      throw error;
    }
  });
};

/** The names of column types on SQLite. */
export const sqliteTypes: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  bigint: sql`bigint`,
  boolean: sql`boolean`,
  inKeyOrder: sql`without rowid`,
};
