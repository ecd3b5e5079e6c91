import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { DatabaseUnreachable, isDatabaseError, isUnavailable } from "./errors.ts";
import { insideChange, refuseInsideChange } from "./inside-change.ts";
import type { Tables } from "./tables.ts";

const MOST_PER_COMMIT = 32;

/** How long changes keep each other, and others, waiting. */
export interface Limits {
  /** No further change joins a commit after this time. */
  readonly batchMs: number;
  /** A change that has waited for longer is refused before it begins. */
  readonly patienceMs: number;
}

/** One transaction, in which changes run one after the other, each in a savepoint. */
export interface Transaction {
  readonly tx: Kysely<Tables>;
  /** Begins a savepoint, and ends the one before it. Not awaited before the change asks its first query. */
  save(): Promise<void>;
  /** Undoes what was done since the last savepoint. Throws where nothing of the transaction is left. */
  undo(): Promise<void>;
  /** Answers once everything is durable. */
  commit(): Promise<void>;
  /** Ends it without a trace, after whatever failed. */
  abandon(error: unknown): Promise<void>;
}

interface Waiting {
  readonly since: number;
  /** Runs the change; answers how to tell its caller, or throws what it threw. */
  run(tx: Kysely<Tables>): Promise<() => void>;
  refuse(error: unknown): void;
}

export interface Changes {
  change<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Waits until nothing waits, after which nothing is taken any more. */
  close(): Promise<void>;
}

/**
 * Runs the changes that wait at the same time one after the other in one transaction, each in its
 * savepoint: they share the wait for the disk, and for the rows that they all take. Callers hear of
 * their change, taken or refused, only after the commit. Where a commit fails, or its outcome is
 * unknown, all changes in it fail.
 *
 * @param begin makes a transaction; given the time since which the first of its changes waits
 */
export const startChanges = (
  begin: (since: number) => Promise<Transaction>,
  { batchMs, patienceMs }: Limits,
): Changes => {
  let waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;

  const drain = async (): Promise<void> => {
    // Begun in a turn of its own: a batch on SQLite then runs through without anybody reading in between.
    await nextTurn();
    while (waiting.length > 0) {
      for (const tell of await runBatch()) tell();
      await nextTurn();
    }
    draining = undefined;
  };

  const runBatch = async (): Promise<(() => void)[]> => {
    const tell: (() => void)[] = [];
    const now = performance.now();
    while (waiting[0] && now - waiting[0].since > patienceMs) {
      const late = waiting.shift();
      tell.push(() => late?.refuse(new DatabaseUnreachable()));
    }
    const [first] = waiting;
    if (!first) return tell;
    let transaction: Transaction;
    try {
      transaction = await begin(first.since);
    } catch (error) {
      const all = waiting;
      waiting = [];
      return [...tell, ...all.map((one) => () => one.refuse(error))];
    }
    return [...tell, ...(await runIn(transaction))];
  };

  const runIn = async (transaction: Transaction): Promise<(() => void)[]> => {
    const batch: Waiting[] = [];
    const tell: (() => void)[] = [];
    const until = performance.now() + batchMs;
    try {
      for (let goesOn = true; goesOn && batch.length < MOST_PER_COMMIT; ) {
        const one = waiting.shift();
        if (one === undefined) break;
        batch.push(one);
        const { told, failed } = await runOne(transaction, one);
        tell.push(told);
        // After a wait in vain (for a lock, say) what was done so far must not wait any longer.
        goesOn = !isUnavailable(failed) && performance.now() < until;
      }
      await transaction.commit();
      return tell;
    } catch (error) {
      // What fails in it has lost the transaction as well.
      await transaction.abandon(error).catch(() => {});
      return batch.map((one) => () => one.refuse(error));
    }
  };

  const runOne = async (transaction: Transaction, one: Waiting) => {
    const saved = transaction.save();
    // If it fails, so does what follows.
    saved.catch(() => {});
    try {
      const told = await one.run(transaction.tx);
      await saved;
      return { told, failed: undefined };
    } catch (error) {
      try {
        await saved;
        await transaction.undo();
      } catch (lost) {
        // What ended the transaction says more than that it has ended.
        throw isDatabaseError(error) ? error : lost;
      }
      return { told: () => one.refuse(error), failed: error };
    }
  };

  return {
    change: <T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        refuseInsideChange();
        if (closed) throw new Error("The database is closed.");
        waiting.push({
          since: performance.now(),
          async run(tx) {
            const value = await insideChange(() => work(tx));
            return () => resolve(value);
          },
          refuse: reject,
        });
        draining ??= drain();
      }),
    async close() {
      closed = true;
      await draining;
    },
  };
};
