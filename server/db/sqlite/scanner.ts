import type { Kysely, QueryResult } from "kysely";
import { openThread } from "../../thread.ts";
import { refuseInsideChange } from "../changes.ts";
import { kyselyAsking } from "../kysely-asking.ts";
import type { Tables } from "../tables.ts";
import type { Question } from "./statements.ts";

export interface SqliteScanner {
  readonly scan: Kysely<Tables>;
  close(): Promise<void>;
}

/**
 * Runs queries that walk over very many rows in a thread with its own connection: SQLite answers
 * synchronously, and would block all other callers.
 */
export const openScanner = (path: string, onError: (error: unknown) => void): SqliteScanner => {
  const file = new URL("./scan-thread.ts", import.meta.url);
  const { ask, end } = openThread<Question, QueryResult<never>>(file, path);
  return {
    scan: kyselyAsking<Tables>("sqlite", async ({ sql, parameters }) => {
      refuseInsideChange();
      return await ask({ sql, parameters }).catch((error: unknown) => {
        onError(error);
        throw error;
      });
    }),
    close: end,
  };
};
