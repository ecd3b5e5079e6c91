import type { DatabaseSync } from "node:sqlite";
import { type Changes, type Limits, startChanges } from "../changes.ts";
import { isIoFailure } from "../errors.ts";
import type { Tables } from "../tables.ts";
import { kyselyOn } from "./kysely.ts";
import { patiently } from "./pragmas.ts";

const LONGEST_WAIT_MS = 5_000;
/** Short, because others want the event loop. */
const limits: Limits = { batchMs: 15, patienceMs: Number.POSITIVE_INFINITY };

export interface SqliteWriter extends Changes {
  /** What the disk failed with, once it failed to make a commit last. */
  broken(): unknown;
}

/** What a writer calls. */
export interface WriterEvents {
  /** Runs right before each commit. */
  readonly beforeCommit: () => void;
  /**
   * The disk failed to make a commit last: what it holds is then not known, and nothing is written
   * any more.
   */
  readonly onBroken: (error: unknown) => void;
  /** What a query failed with. */
  readonly onError: (error: unknown) => void;
}

/** The one place that writes. A commit is one fsync, so changes that wait are committed together. */
export const startWriter = (
  db: DatabaseSync,
  { beforeCommit, onBroken, onError }: WriterEvents,
): SqliteWriter => {
  const tx = kyselyOn<Tables>(db, () => {}, onError);
  const [begin, commit, rollback] = ["begin immediate", "commit", "rollback"].map((text) =>
    db.prepare(text),
  );
  const [save, undo, keep] = ["savepoint one", "rollback to one", "release one"].map((text) =>
    db.prepare(text),
  );
  let broken: unknown;

  const changes = startChanges(async () => {
    if (broken !== undefined) throw broken;
    await patiently(LONGEST_WAIT_MS, () => begin?.run());
    let isSaved = false;
    return {
      tx,
      async save() {
        if (isSaved) keep?.run();
        save?.run();
        isSaved = true;
      },
      async undo() {
        // A full disk and its like end the whole transaction: then this fails, and the batch.
        undo?.run();
      },
      async commit() {
        beforeCommit();
        commit?.run();
      },
      async abandon(error) {
        if (db.isTransaction) rollback?.run();
        if (!isIoFailure(error)) return;
        broken = error;
        onBroken(error);
      },
    };
  }, limits);

  return {
    change: changes.change,
    broken: () => broken,
    async close() {
      await changes.close();
      db.close();
    },
  };
};
