import { Worker } from "node:worker_threads";
import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { refuseInsideChange } from "./inside-change.ts";
import { kyselyAsking } from "./sqlite-kysely.ts";
import type { Tables } from "./tables.ts";

/** What the thread is asked. */
export interface ScanQuestion {
  readonly id: number;
  readonly query: Pick<CompiledQuery, "sql" | "parameters">;
}

/** What the thread answers: rows, or what was wrong with the properties by which errors are told apart. */
export type ScanAnswer =
  | { readonly id: number; readonly result: QueryResult<unknown> }
  | { readonly id: number; readonly message: string; readonly error: object };

interface Waiting {
  readonly resolve: (result: QueryResult<never>) => void;
  readonly reject: (error: unknown) => void;
}

export interface SqliteScanner {
  readonly scan: Kysely<Tables>;
  close(): Promise<void>;
}

/**
 * Queries that walk over very many rows, in a thread and on a connection of their own: SQLite
 * answers within the caller's thread, where nobody else would be served meanwhile. The thread
 * begins with the first of them.
 */
export function openScanner(path: string): SqliteScanner {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let asked = 0;

  function start(): Worker {
    const started = new Worker(new URL("./sqlite-scan-thread.ts", import.meta.url), {
      workerData: path,
    });
    started.unref();
    started.on("message", (answer: ScanAnswer) => {
      const { resolve, reject } = waiting.get(answer.id) ?? {};
      waiting.delete(answer.id);
      if ("result" in answer) resolve?.(answer.result as QueryResult<never>);
      else reject?.(Object.assign(new Error(answer.message), answer.error));
    });
    started.once("error", end);
    started.once("exit", () => end(new Error("The thread that scans has ended.")));
    function end(error: unknown): void {
      if (thread !== started) return;
      thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    }
    return started;
  }

  const executeQuery = <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> =>
    new Promise((resolve, reject) => {
      refuseInsideChange();
      thread ??= start();
      asked += 1;
      waiting.set(asked, { resolve, reject });
      const question: ScanQuestion = { id: asked, query: { sql, parameters } };
      thread.postMessage(question);
    });

  return {
    scan: kyselyAsking<Tables>(executeQuery),
    async close() {
      const ending = thread;
      thread = undefined;
      await ending?.terminate();
    },
  };
}
