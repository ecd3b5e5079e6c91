import { stat } from "node:fs/promises";
import { sql } from "kysely";
import type { Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { addErasures, removeErasure } from "../meetings/captures/erasures.ts";
import { recordingPath } from "./folder.ts";
import { eraseIfGone, type FileWorker, keepLease, SENDING_LEASE_MS, whileKept } from "./lease.ts";
import type { S3Store } from "./s3-store.ts";
import type { Stores } from "./stores.ts";
import { filesOf } from "./viewing.ts";

/** Claims a recording that should move to the store and that no process is moving. */
export const claimUpload = ({
  database,
  processId,
}: FileWorker): Promise<RecordingRow | undefined> =>
  database.change(async (tx) => {
    const due = await tx
      .selectFrom("recordings")
      .select(["id", "lease_until"])
      .where("state", "=", "ready")
      .where("store", "=", "folder")
      .where("complete", "=", true)
      .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now())]))
      // Untried ones first, then those that have waited longest, so that a failing one delays no other.
      .orderBy(sql`lease_until is not null`)
      .orderBy("lease_until")
      .orderBy("requested_at")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return undefined;
    return tx
      .updateTable("recordings")
      .set({ process: processId, lease_until: now(SENDING_LEASE_MS) })
      .where("id", "=", due.id)
      .where("lease_until", due.lease_until === null ? "is" : "=", due.lease_until)
      .where("store", "=", "folder")
      .returningAll()
      .executeTakeFirst();
  });

/** Gives a recording back, to be tried again after a pause. */
export const postponeUpload = async (
  { database, processId }: FileWorker,
  { id }: RecordingRow,
  waitMs: number,
): Promise<void> => {
  await database.change((tx) =>
    tx
      .updateTable("recordings")
      .set({ process: null, lease_until: now(waitMs) })
      .where("id", "=", id)
      .where("process", "=", processId)
      .where("store", "=", "folder")
      .execute(),
  );
};

/**
 * Returns whether a recording whose files are not here is in the store already, as after restoring a backup
 * from before it moved. If so, updates its row.
 */
export const findInStore = async (worker: FileWorker, row: RecordingRow): Promise<boolean> => {
  const { database, processId, stores } = worker;
  const s3 = await stores.s3?.();
  if (s3 === undefined) return false;
  const isThere = await whileKept(
    worker,
    () => keepLease(worker, row),
    async (signal) => {
      for (const { name, bytes } of filesOf(row)) {
        signal.throwIfAborted();
        const path = `${recordingPath(row)}/${name}`;
        if ((await s3.sizeOf(path, signal)) !== bytes) return false;
      }
      return true;
    },
  );
  return isThere && database.change((tx) => switchToStore(tx, processId, row));
};

/** Records in the row that the files are in the store. @returns false if it was deleted or changed */
const switchToStore = async (
  tx: Queries,
  processId: string,
  row: RecordingRow,
): Promise<boolean> => {
  const moved = await tx
    .updateTable("recordings")
    .set({ store: "s3", process: null, lease_until: null })
    .where("id", "=", row.id)
    .where("process", "=", processId)
    .where("store", "=", "folder")
    .where("files", "=", row.files)
    .returning("id")
    .executeTakeFirst();
  return moved !== undefined;
};

/**
 * Uploads every file; stops if this process loses its lease, because another one may then have
 * uploaded into the same folder.
 */
const putAll = (worker: FileWorker, row: RecordingRow, store: S3Store): Promise<void> =>
  whileKept(
    worker,
    () => keepLease(worker, row),
    async (signal) => {
      signal.throwIfAborted();
      // Removes the remains of an earlier try, including parts of unfinished files.
      await store.erase(recordingPath(row), signal);
      for (const { name, bytes } of filesOf(row)) {
        signal.throwIfAborted();
        const path = `${recordingPath(row)}/${name}`;
        await store.put(path, worker.stores.folder.path(path), bytes, signal);
      }
    },
  );

/**
 * Moves a recording to the store: uploads its files, compares each, and only then updates its row,
 * with the erasure of the local files. A kill at any moment loses nothing: the next process uploads
 * again, or erases.
 *
 * @returns whether it has moved; false if it was deleted or changed meanwhile
 * @throws StoreAway, FileUnreadable, and other file system errors
 */
export const upload = async (worker: FileWorker, row: RecordingRow): Promise<boolean> => {
  const { database, processId, stores } = worker;
  const folder = { organizationId: row.organization_id, path: recordingPath(row) };
  const s3 = await stores.s3?.();
  if (s3 === undefined) return false;
  try {
    await putAll(worker, row, s3);
    const moved = await database.change(async (tx) => {
      if (!(await switchToStore(tx, processId, row))) return false;
      await addErasures(tx, folder, ["folder"]);
      return true;
    });
    // Erases the local files at once; the stored erasure is for a kill at this moment.
    if (moved) {
      await stores.folder.erase(folder.path);
      await database.change((tx) => removeErasure(tx, folder.path, "folder"));
    }
    return moved;
  } finally {
    // If it was deleted during the upload, its erasure may have run before the last file arrived.
    await eraseIfGone(worker, row);
  }
};

/** Returns whether all files of a recording are on this machine. */
export const isHere = async (stores: Stores, row: RecordingRow): Promise<boolean> => {
  for (const { name, bytes } of filesOf(row)) {
    const path = stores.folder.path(`${recordingPath(row)}/${name}`);
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== bytes) return false;
  }
  return true;
};
