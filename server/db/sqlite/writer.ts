import type { DatabaseSync } from "node:sqlite";
import { type Changes, type Limits, startChanges } from "../changes.ts";
import { isIoFailure } from "../errors.ts";
import type { Tables } from "../tables.ts";
import { kyselyOn } from "./kysely.ts";
import { patiently } from "./pragmas.ts";

const LONGEST_WAIT_MS = 5_000;
/** Short, because others need the event loop. */
const limits: Limits = {
  batchMs: 15,
  patienceMs: Number.POSITIVE_INFINITY,
  beginMs: LONGEST_WAIT_MS,
};

export interface SqliteWriter extends Changes {
  /** The disk's error, once it failed to make a commit durable. */
  broken(): unknown;
}

/** What a writer calls. */
export interface WriterEvents {
  /** Runs right before each commit. */
  readonly beforeCommit: () => void;
  /**
   * The disk failed to make a commit durable: its content is then unknown, and nothing is written
   * any more.
   */
  readonly onBroken: (error: unknown) => void;
  /** What a query failed with. */
  readonly onError: (error: unknown) => void;
}

/** The only place that writes. A commit is one fsync, so waiting changes are committed together. */
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

  const changes = startChanges(async (since) => {
    if (broken !== undefined) throw broken;
    const waitedMs = performance.now() - since;
    await patiently(LONGEST_WAIT_MS - waitedMs, () => begin?.run());
    let isSaved = false;
    return {
      tx,
      async save() {
        if (isSaved) keep?.run();
        save?.run();
        isSaved = true;
      },
      async undo() {
        // A full disk, for example, ends the whole transaction: then this fails, and so does the batch.
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
