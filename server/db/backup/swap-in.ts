import { rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { exists, ignoring, linked, putInPlace, syncFolder } from "../../durable.ts";
import { BackupError, isBusy, isDatabaseError } from "../errors.ts";

/**
 * Replaces DATA_DIR/parley.db with a finished database file. The caller holds the lock of the folder.
 * At any moment the old database is there, or the new one.
 *
 * @param aside the new name of the old one; undefined if it was empty
 */
export const swapIn = async (
  dataDir: string,
  draft: string,
  aside: string | undefined,
): Promise<void> => {
  const path = join(dataDir, "parley.db");
  const letGo = (await exists(path)) ? await holdOld(path, aside) : () => {};
  try {
    // A second name for the old file. On a file system without hard links there is for a moment no
    // database under the first name, and a start at that moment says so.
    if (aside !== undefined && !(await linked(path, aside))) {
      letGo();
      await rename(path, aside);
    }
    // Windows does not replace a file that is open.
    if (process.platform === "win32") letGo();
    await putInPlace(draft, path, true);
  } finally {
    letGo();
  }
};

/**
 * Makes the old database a single file and locks it. Its WAL must not stay: SQLite would apply it to
 * the new database.
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
    // A database that does not open may be the reason for the restore.
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
