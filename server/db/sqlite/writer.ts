import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { isIoFailure } from "../errors.ts";
import { insideChange, refuseInsideChange } from "../inside-change.ts";
import type { Tables } from "../tables.ts";
import { kyselyOn } from "./kysely.ts";
import { patiently } from "./pragmas.ts";

const MOST_PER_COMMIT = 32;
/** No further change joins a commit after this time: others want the event loop too. */
const LONGEST_BATCH_MS = 15;
const LONGEST_WAIT_MS = 5_000;

interface Waiting {
  /** Runs the change; answers how to tell its caller, or throws what it threw. */
  run(): Promise<() => void>;
  refuse(error: unknown): void;
}

export interface SqliteWriter {
  change<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** What the disk failed with, once it failed to make a commit last. */
  broken(): unknown;
  close(): Promise<void>;
}

/**
 * The one place that writes. A commit is one fsync, so changes that wait are run one after the
 * other, each in its savepoint, and committed together. Callers hear of their change, taken or
 * refused, only after the commit. `beforeCommit` runs right before it; `onBroken` once the disk
 * failed to make a commit last: what it holds is then not known, and nothing is written any more.
 */
export const startWriter = (
  db: DatabaseSync,
  beforeCommit: () => void,
  onBroken: (error: unknown) => void,
): SqliteWriter => {
  const tx = kyselyOn<Tables>(db, () => {});
  const [begin, commit, rollback] = ["begin immediate", "commit", "rollback"].map((text) =>
    db.prepare(text),
  );
  const [save, undo, keep] = ["savepoint one", "rollback to one", "release one"].map((text) =>
    db.prepare(text),
  );
  let waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;
  let broken: unknown;

  const change = <T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      refuseInsideChange();
      if (closed) throw new Error("The database is closed.");
      if (broken !== undefined) throw broken;
      waiting.push({
        run: async () => {
          const value = await insideChange(() => work(tx));
          return () => resolve(value);
        },
        refuse: reject,
      });
      draining ??= drain();
    });

  const breakDown = (error: unknown): void => {
    broken = error;
    onBroken(error);
  };

  const drain = async (): Promise<void> => {
    // Begun in a turn of its own: a batch then runs through without anybody reading in between.
    await nextTurn();
    while (waiting.length > 0) {
      for (const tell of await runBatch()) tell();
      await nextTurn();
    }
    draining = undefined;
  };

  const runBatch = async (): Promise<(() => void)[]> => {
    try {
      if (broken !== undefined) throw broken;
      await patiently(LONGEST_WAIT_MS, () => begin?.run());
    } catch (error) {
      const all = waiting;
      waiting = [];
      return all.map((one) => () => one.refuse(error));
    }
    const batch: Waiting[] = [];
    const tell: (() => void)[] = [];
    const until = performance.now() + LONGEST_BATCH_MS;
    try {
      do {
        const one = waiting.shift();
        if (one === undefined) break;
        batch.push(one);
        tell.push(await runOne(one));
      } while (batch.length < MOST_PER_COMMIT && performance.now() < until);
      beforeCommit();
      commit?.run();
      return tell;
    } catch (error) {
      if (db.isTransaction) rollback?.run();
      if (isIoFailure(error)) breakDown(error);
      return batch.map((one) => () => one.refuse(error));
    }
  };

  const runOne = async (one: Waiting): Promise<() => void> => {
    save?.run();
    try {
      const taken = await one.run();
      keep?.run();
      return taken;
    } catch (error) {
      // A full disk and its like end the whole transaction: then nothing of the batch is left.
      if (!db.isTransaction) throw error;
      undo?.run();
      keep?.run();
      return () => one.refuse(error);
    }
  };

  return {
    change,
    broken: () => broken,
    async close() {
      closed = true;
      await draining;
      db.close();
    },
  };
};
