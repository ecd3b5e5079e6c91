import { stat } from "node:fs/promises";
import { sql } from "kysely";
import { now } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { Queries } from "../organization.ts";
import { addErasures, removeErasure } from "./erasures.ts";
import { recordingPath } from "./folder.ts";
import { eraseIfGone, keep, LEASE_MS, type Worker, whileKept } from "./lease.ts";
import type { S3Store } from "./s3-store.ts";
import type { Stores } from "./stores.ts";
import { filesOf } from "./viewing.ts";

/** A recording that is to move to the store and that nobody moves: this process has it then. */
export const claimUpload = ({ database, processId }: Worker): Promise<RecordingRow | undefined> =>
  database.change(async (tx) => {
    const due = await tx
      .selectFrom("recordings")
      .select(["id", "lease_until"])
      .where("state", "=", "ready")
      .where("store", "=", "folder")
      .where("complete", "=", true)
      .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now())]))
      // Those that were never tried, then those that wait longest: one that fails holds up no other.
      .orderBy(sql`lease_until is not null`)
      .orderBy("lease_until")
      .orderBy("requested_at")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return undefined;
    return tx
      .updateTable("recordings")
      .set({ process: processId, lease_until: now(LEASE_MS) })
      .where("id", "=", due.id)
      .where("lease_until", due.lease_until === null ? "is" : "=", due.lease_until)
      .where("store", "=", "folder")
      .returningAll()
      .executeTakeFirst();
  });

/** Lets another try begin at a later time. */
export const postpone = async (
  { database, processId }: Worker,
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
 * Whether a recording whose files are not here is in the store already: after the restore of a backup
 * that was made before it moved. Its row then says so.
 */
export const findInStore = async (
  { database, processId, stores }: Worker,
  row: RecordingRow,
): Promise<boolean> => {
  const s3 = await stores.s3?.();
  if (s3 === undefined) return false;
  for (const { name, bytes } of filesOf(row)) {
    if ((await s3.sizeOf(`${recordingPath(row)}/${name}`)) !== bytes) return false;
  }
  return database.change((tx) => switchToStore(tx, processId, row));
};

/** Says in the row that its files are in the store. @returns false where it was deleted or changed */
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

/** Stores every file; stops when the recording is this process's no longer. */
const putAll = (worker: Worker, row: RecordingRow, store: S3Store): Promise<void> =>
  whileKept(
    worker,
    () => keep(worker, row),
    async (signal) => {
      for (const { name, bytes } of filesOf(row)) {
        signal.throwIfAborted();
        const path = `${recordingPath(row)}/${name}`;
        await store.put(path, worker.stores.folder.path(path), bytes, signal);
      }
    },
  );

/**
 * Moves a recording to the store: uploads its files, compares each, and only then says in its row that
 * they are there, with what is to be erased here. A process that is killed at any moment loses nothing:
 * the next one uploads again, or erases.
 *
 * @returns whether it is there now; false when it was deleted or changed meanwhile
 * @throws StoreAway, FileUnreadable, and other errors of the file system
 */
export const upload = async (worker: Worker, row: RecordingRow): Promise<boolean> => {
  const { database, processId, stores } = worker;
  const folder = { organizationId: row.organization_id, path: recordingPath(row) };
  const s3 = await stores.s3?.();
  if (s3 === undefined) return false;
  try {
    // The remains of an earlier try, parts of unfinished files included.
    await s3.erase(folder.path);
    await putAll(worker, row, s3);
    const moved = await database.change(async (tx) => {
      if (!(await switchToStore(tx, processId, row))) return false;
      await addErasures(tx, folder, ["folder"]);
      return true;
    });
    // At once, on the machine where the files are; the erasure is for a process that is killed here.
    if (moved) {
      await stores.folder.erase(folder.path);
      await database.change((tx) => removeErasure(tx, folder.path, "folder"));
    }
    return moved;
  } finally {
    // Deleted while it was on its way: its erasure may have been earlier than its last file.
    await eraseIfGone(worker, row);
  }
};

/** Whether all files of a recording are on this machine. */
export const isHere = async (stores: Stores, row: RecordingRow): Promise<boolean> => {
  for (const { name, bytes } of filesOf(row)) {
    const path = stores.folder.path(`${recordingPath(row)}/${name}`);
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== bytes) return false;
  }
  return true;
};
