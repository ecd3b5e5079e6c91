import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { addErasures } from "../meetings/captures/erasures.ts";
import { recordingPath } from "./folder.ts";
import type { Stores } from "./stores.ts";

/*
 * A process that sends a recording's files to the store has a lease on it. If the recording is
 * deleted meanwhile, it is erased only after the lease, when nothing is being sent any more.
 */

/** How long a lease lasts, and how often it is renewed. */
export const SENDING_LEASE_MS = 20_000;
const NEWS_MS = 5_000;

/** The dependencies for work on files of recordings. */
export interface FileWorker {
  readonly database: Pick<Database, "change" | "read">;
  readonly processId: string;
  readonly stores: Stores;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/**
 * Takes a recording whose files are in the store, to add a file to them.
 *
 * @returns the current row; undefined if it is gone, or another process has it
 */
export const takeStored = (
  { database, processId }: FileWorker,
  { id }: RecordingRow,
): Promise<RecordingRow | undefined> =>
  database.change((tx) =>
    tx
      .updateTable("recordings")
      .set({ process: processId, lease_until: now(SENDING_LEASE_MS) })
      .where("id", "=", id)
      .where("store", "=", "s3")
      .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now())]))
      .returningAll()
      .executeTakeFirst(),
  );

/** Gives back a recording that `takeStored` took. */
export const releaseRecording = async (
  { database, processId }: FileWorker,
  { id }: RecordingRow,
): Promise<void> => {
  await database.change((tx) =>
    tx
      .updateTable("recordings")
      .set({ process: null, lease_until: null })
      .where("id", "=", id)
      .where("process", "=", processId)
      .where("store", "=", "s3")
      .execute(),
  );
};

/** Renews this process's lease on a recording. @returns whether the process still has it */
export const keepLease = (
  { database, processId }: FileWorker,
  row: RecordingRow,
): Promise<boolean> =>
  database.change(async (tx) => {
    const kept = await tx
      .updateTable("recordings")
      .set({ lease_until: now(SENDING_LEASE_MS) })
      .where("id", "=", row.id)
      .where("process", "=", processId)
      .where("store", "=", row.store)
      .returning("id")
      .executeTakeFirst();
    return kept !== undefined;
  });

/**
 * Works on a recording while this process has its lease.
 *
 * @param isKept asked first, and every few seconds; if it says no, or nothing for as long as a
 * lease, the work's signal aborts
 */
export const whileKept = async <T>(
  { signal }: Pick<FileWorker, "signal">,
  isKept: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  let keptAt = performance.now();
  const ask = async (): Promise<void> => {
    const asked = performance.now();
    if (await isKept()) keptAt = asked;
    else lost.abort();
  };
  const news = setInterval(() => {
    if (performance.now() - keptAt >= SENDING_LEASE_MS) lost.abort();
    // If the database cannot be reached, the lease decides.
    else ask().catch(() => {});
  }, NEWS_MS);
  try {
    await ask();
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(news);
  }
};

/** If a recording was deleted meanwhile, erases from the store what was sent after its erasure. */
export const eraseIfGone = (
  { database }: Pick<FileWorker, "database">,
  row: RecordingRow,
): Promise<void> =>
  database.change(async (tx) => {
    const there = await tx
      .selectFrom("recordings")
      .select("id")
      .where("id", "=", row.id)
      .executeTakeFirst();
    const folder = { organizationId: row.organization_id, path: recordingPath(row) };
    if (there === undefined) await addErasures(tx, folder, ["s3"]);
  });
