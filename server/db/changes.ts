import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CompiledQuery, Kysely } from "kysely";
import {
  DatabaseUnreachable,
  isBehindFailure,
  isDatabaseError,
  isUnavailable,
  TurnMissed,
} from "./errors.ts";
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

/**
 * Sends a statement whose result a change does not need. It runs after every query that the change has
 * awaited, and before every later one; a query that is still under way may be overtaken. If it fails, so
 * does the change, and on PostgreSQL perhaps its whole commit. SQLite runs it, and may throw, at once.
 */
export type Send = (statement: CompiledQuery) => void;

/** The work of a change in its transaction. */
export type Work<T> = (tx: Kysely<Tables>, send: Send) => Promise<T>;

/** One transaction, in which changes run one after the other, each in a savepoint. */
export interface Transaction {
  readonly tx: Kysely<Tables>;
  /** Sends a statement. Resolves once it is done; throws at once where it runs at once (SQLite). */
  send(statement: CompiledQuery): Promise<unknown>;
  /** Begins a savepoint, and ends the one before it. Not awaited before the change's first query. */
  save(): Promise<void>;
  /** Rolls back to the last savepoint. Throws if the whole transaction is lost. */
  undo(): Promise<void>;
  /** Resolves once everything is durable. What was sent may still be under way when it begins. */
  commit(): Promise<void>;
  /** Rolls everything back, after any failure. */
  abandon(error: unknown): Promise<void>;
}

interface Waiting {
  readonly since: number;
  /** Runs the change; returns a function that resolves its caller, or throws the change's error. */
  run: Work<() => void>;
  refuse(error: unknown): void;
}

/** A statement that was sent, and its change. */
interface Sent {
  readonly by: Waiting;
  readonly done: Promise<unknown>;
}

export interface Changes {
  change<T>(work: Work<T>): Promise<T>;
  /** Waits for the waiting changes, and accepts no more. */
  close(): Promise<void>;
}

/**
 * Runs waiting changes one after the other in one transaction, each in its savepoint: they share the
 * wait for the disk and for the rows that all of them lock. Callers get their answer, success or
 * error, only after the commit. If a commit fails, or its outcome is unknown, all its changes fail.
 *
 * @param begin makes a transaction; gets the time since which its first change has waited
 * @param lateness makes the error of a change that has waited too long
 */
export const startChanges = (
  begin: (since: number) => Promise<Transaction>,
  { batchMs, patienceMs, beginMs }: Limits,
  lateness: () => Error = () => new TurnMissed(),
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
    const answers = late.map((one) => () => one.refuse(lateness()));
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
    const sent: Sent[] = [];
    const until = performance.now() + batchMs;
    try {
      for (let goesOn = true; goesOn && batch.length < MOST_PER_COMMIT; ) {
        const one = waiting.shift();
        if (one === undefined) break;
        batch.push(one);
        const { answer, failed } = await runOne(transaction, one, sent);
        answers.push(answer);
        // After a wait that failed (for a lock, say) the finished changes must not wait any longer.
        goesOn = !isUnavailable(failed) && performance.now() < until;
      }
      await Promise.all([...sent.map(({ done }) => done), transaction.commit()]);
      return answers;
    } catch (error) {
      // A failed rollback means that the transaction is lost as well.
      await transaction.abandon(error).catch(() => {});
      const failed = await firstFailure(sent);
      if (failed === undefined) return batch.map((one) => () => one.refuse(error));
      // The other changes have done nothing wrong, and may be tried again.
      const others = isUnavailable(failed.error)
        ? failed.error
        : new DatabaseUnreachable(failed.error);
      return batch.map((one) => () => one.refuse(one === failed.by ? failed.error : others));
    }
  };

  const runOne = async (transaction: Transaction, one: Waiting, sent: Sent[]) => {
    const saved = transaction.save();
    // If it fails, so does what follows.
    saved.catch(() => {});
    const before = sent.length;
    let hasEnded = false;
    const send: Send = (statement) => {
      if (hasEnded) throw new Error("A change sends nothing after its end.");
      const done = transaction.send(statement);
      done.catch(() => {});
      sent.push({ by: one, done });
    };
    try {
      const answer = await one.run(transaction.tx, send).finally(() => {
        hasEnded = true;
      });
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
      const undone = sent.splice(before);
      const cause = isBehindFailure(error) ? (await firstFailure(undone))?.error : undefined;
      const failed = cause ?? error;
      return { answer: () => one.refuse(failed), failed };
    }
  };

  return {
    change: <T>(work: Work<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        refuseInsideChange();
        if (closed) throw new Error("The database is closed.");
        waiting.push({
          since: performance.now(),
          async run(tx, send) {
            const value = await insideChange(() => work(tx, send));
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

/** The first statement that failed, with its error: it says more than those of the statements behind it. */
const firstFailure = async (
  sent: readonly Sent[],
): Promise<{ readonly by: Waiting; readonly error: unknown } | undefined> => {
  for (const { by, done } of sent) {
    try {
      await done;
    } catch (error) {
      return { by, error };
    }
  }
  return undefined;
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
