import type { Kysely, QueryResult } from "kysely";
import { openThread } from "../../thread.ts";
import { DatabaseUnreachable } from "../errors.ts";
import { refuseInsideChange } from "../inside-change.ts";
import { kyselyAsking } from "../kysely-asking.ts";
import { requests } from "../requests.ts";
import type { Tables } from "../tables.ts";
import type { Question } from "./statements.ts";

export interface SqliteScanner {
  readonly scan: Kysely<Tables>;
  close(): Promise<void>;
}

/**
 * Queries that walk over very many rows, in a thread and on a connection of their own: SQLite
 * answers within the caller's thread, where nobody else would be served meanwhile.
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
