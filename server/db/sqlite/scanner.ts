import type { Kysely, QueryResult } from "kysely";
import { openThread } from "../../thread.ts";
import { refuseInsideChange } from "../changes.ts";
import { DatabaseUnreachable } from "../errors.ts";
import { requests } from "../requests.ts";
import type { Tables } from "../tables.ts";
import { kyselyAsking } from "./kysely.ts";
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
  const { ask: askThread, end } = openThread<Question, QueryResult<never>>(file, path);
  let last: Promise<unknown> = Promise.resolve();

  /** One query at a time. A query whose request was answered while it waited is skipped. */
  const ask = (question: Question): Promise<QueryResult<never>> => {
    const request = requests.getStore();
    const answer = last.then(() => {
      if (request?.hasPassed) throw new DatabaseUnreachable("nobody waits for this query any more");
      return askThread(question);
    });
    last = answer.catch(() => {});
    return answer;
  };

  return {
    scan: kyselyAsking<Tables>(async ({ sql, parameters }) => {
      refuseInsideChange();
      return await ask({ sql, parameters }).catch((error: unknown) => {
        onError(error);
        throw error;
      });
    }),
    close: end,
  };
};
