import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { DatabaseUnreachable, isDatabaseError, isUnavailable } from "./errors.ts";
import type { Tables } from "./tables.ts";

const MOST_PER_COMMIT = 32;

/** How long changes may keep each other, and others, waiting. */
export interface Limits {
  /** No further change joins a commit after this time. */
  readonly batchMs: number;
  /** A change that has waited longer is refused before it begins. */
  readonly patienceMs: number;
  /** A change that has waited longer is refused with the first one if no transaction can begin. */
  readonly beginMs: number;
}

/** One transaction, in which changes run one after the other, each in a savepoint. */
export interface Transaction {
  readonly tx: Kysely<Tables>;
  /** Begins a savepoint, and ends the one before it. Not awaited before the change's first query. */
  save(): Promise<void>;
  /** Rolls back to the last savepoint. Throws if the whole transaction is lost. */
  undo(): Promise<void>;
  /** Resolves once everything is durable. */
  commit(): Promise<void>;
  /** Rolls everything back, after any failure. */
  abandon(error: unknown): Promise<void>;
}

interface Waiting {
  readonly since: number;
  /** Runs the change; returns a function that resolves its caller, or throws the change's error. */
  run(tx: Kysely<Tables>): Promise<() => void>;
  refuse(error: unknown): void;
}

export interface Changes {
  change<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Waits for the waiting changes, and accepts no more. */
  close(): Promise<void>;
}

/**
 * Runs waiting changes one after the other in one transaction, each in its savepoint: they share the
 * wait for the disk and for the rows that all of them lock. Callers get their answer, success or
 * error, only after the commit. If a commit fails, or its outcome is unknown, all its changes fail.
 *
 * @param begin makes a transaction; gets the time since which its first change has waited
 */
export const startChanges = (
  begin: (since: number) => Promise<Transaction>,
  { batchMs, patienceMs, beginMs }: Limits,
): Changes => {
  const waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;

  const drain = async (): Promise<void> => {
    // In a turn of its own: on SQLite a batch then runs without reads in between.
    await nextTurn();
    while (waiting.length > 0) {
      for (const answer of await runBatch()) answer();
      await nextTurn();
    }
    draining = undefined;
  };

  /** Removes the changes that have waited longer; they are at the front. */
  const takeLate = (longestMs: number): Waiting[] => {
    const now = performance.now();
    const inTime = waiting.findIndex(({ since }) => now - since <= longestMs);
    return waiting.splice(0, inTime === -1 ? waiting.length : inTime);
  };

  const runBatch = async (): Promise<(() => void)[]> => {
    const late = takeLate(patienceMs);
    const answers = late.map((one) => () => one.refuse(new DatabaseUnreachable()));
    const [first] = waiting;
    if (!first) return answers;
    let transaction: Transaction;
    try {
      transaction = await begin(first.since);
    } catch (error) {
      waiting.shift();
      // The others may still get a transaction within their own time.
      const refused = [first, ...takeLate(beginMs)];
      return [...answers, ...refused.map((one) => () => one.refuse(error))];
    }
    return [...answers, ...(await runIn(transaction))];
  };

  const runIn = async (transaction: Transaction): Promise<(() => void)[]> => {
    const batch: Waiting[] = [];
    const answers: (() => void)[] = [];
    const until = performance.now() + batchMs;
    try {
      for (let goesOn = true; goesOn && batch.length < MOST_PER_COMMIT; ) {
        const one = waiting.shift();
        if (one === undefined) break;
        batch.push(one);
        const { answer, failed } = await runOne(transaction, one);
        answers.push(answer);
        // After a wait that failed (for a lock, say) the finished changes must not wait any longer.
        goesOn = !isUnavailable(failed) && performance.now() < until;
      }
      await transaction.commit();
      return answers;
    } catch (error) {
      // A failed rollback means that the transaction is lost as well.
      await transaction.abandon(error).catch(() => {});
      return batch.map((one) => () => one.refuse(error));
    }
  };

  const runOne = async (transaction: Transaction, one: Waiting) => {
    const saved = transaction.save();
    // If it fails, so does what follows.
    saved.catch(() => {});
    try {
      const answer = await one.run(transaction.tx);
      await saved;
      return { answer, failed: undefined };
    } catch (error) {
      try {
        await saved;
        await transaction.undo();
      } catch (lost) {
        // The error that ended the transaction says more than the failed rollback.
        throw isDatabaseError(error) ? error : lost;
      }
      return { answer: () => one.refuse(error), failed: error };
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

/** Marks what runs inside a change. */
const marks = new AsyncLocalStorage<{ readonly running: boolean }>();

/** Runs the work of a change, so that a query or a change beside it is noticed. */
const insideChange = async <T>(work: () => Promise<T>): Promise<T> => {
  // Code that runs on after the end of the work still has this mark, so the mark is unset.
  const mark = { running: true };
  try {
    return await marks.run(mark, work);
  } finally {
    mark.running = false;
  }
};

/**
 * Refuses a change inside a change, which would wait forever on SQLite, and a query outside the
 * change's transaction, which would see another state.
 */
export const refuseInsideChange = (): void => {
  if (marks.getStore()?.running === true) {
    throw new Error("Inside a change, use the transaction that it was given and nothing else.");
  }
};
