import type { QueryResult } from "kysely";
import { openThread } from "../../thread.ts";
import type { Database } from "../database.ts";
import { scansIn } from "../scans.ts";
import type { Question } from "./statements.ts";

export interface SqliteScanner {
  readonly scan: Database["scan"];
  close(): Promise<void>;
}

/**
 * Runs queries that walk over very many rows in a thread with its own connection, one at a time:
 * SQLite answers synchronously, and would block all other callers.
 */
export const openScanner = (path: string, onError: (error: unknown) => void): SqliteScanner => {
  const file = new URL("./scan-thread.ts", import.meta.url);
  const thread = openThread<Question, QueryResult<never>>(file, path);
  return {
    scan: scansIn("sqlite", 1, ({ sql, parameters }) =>
      thread.ask({ sql, parameters }).catch((error: unknown) => {
        onError(error);
        throw error;
      }),
    ),
    close: thread.end,
  };
};
