import { rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { exists, ignoring, linked, putInPlace, syncFolder } from "../../durable.ts";
import { BackupError, isBusy, isDatabaseError } from "../errors.ts";

/**
 * Puts a finished database file in the place of DATA_DIR/parley.db. The caller holds the lock of the
 * folder. At any moment the old database is there, or the new one.
 *
 * @param aside the name under which the old one stays; none: it held nothing
 */
export const swapIn = async (
  dataDir: string,
  draft: string,
  aside: string | undefined,
): Promise<void> => {
  const path = join(dataDir, "parley.db");
  const letGo = (await exists(path)) ? await holdOld(path, aside) : () => {};
  try {
    // A second name for what is there now. Where the file system knows no such thing, there is
    // for a moment no database under the first one, and the message of a start would say so.
    if (aside !== undefined && !(await linked(path, aside))) {
      letGo();
      await rename(path, aside);
    }
    // What is open cannot be replaced there.
    if (process.platform === "win32") letGo();
    await putInPlace(draft, path, true);
  } finally {
    letGo();
  }
};

/**
 * Makes the old database one file and keeps everybody out of it. Its WAL must not stay behind: SQLite
 * would take it for the new database's.
 */
const holdOld = async (path: string, aside: string | undefined): Promise<() => void> => {
  const db = new DatabaseSync(path, { timeout: 2_000 });
  const letGo = () => {
    if (db.isOpen) db.close();
  };
  try {
    db.exec("pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive");
    return letGo;
  } catch (error) {
    letGo();
    if (isBusy(error)) {
      throw new BackupError("Another command of parley works on the database: try again.");
    }
    // A database that does not open may be what the restore is for.
    if (!isDatabaseError(error)) throw error;
    await removeCompanions(path, aside);
    return () => {};
  }
};

const removeCompanions = async (path: string, aside: string | undefined): Promise<void> => {
  for (const companion of ["-wal", "-shm", "-journal"]) {
    const from = path + companion;
    if (!(await exists(from))) continue;
    if (aside === undefined || companion === "-shm") await unlink(from);
    else await rename(from, aside + companion).catch(ignoring("ENOENT"));
  }
  await syncFolder(dirname(path));
};
