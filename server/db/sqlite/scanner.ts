import type { QueryResult } from "kysely";
import { openThread } from "../../lib/thread.ts";
import type { Database } from "../database.ts";
import type { Tables } from "../tables.ts";
import { scanTurns } from "../turns.ts";
import { kyselyAsking } from "./kysely.ts";
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
  const inTurn = scanTurns(1);
  const ask = (question: Question): Promise<QueryResult<never>> =>
    thread.ask(question).catch((error: unknown) => {
      onError(error);
      throw error;
    });
  return {
    scan: (organizationId) =>
      kyselyAsking<Tables>(({ sql, parameters }) =>
        inTurn<QueryResult<never>>(organizationId, () => ask({ sql, parameters })),
      ),
    close: thread.end,
  };
};
