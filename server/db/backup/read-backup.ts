import { open } from "node:fs/promises";
import { join } from "node:path";
import { isDatabaseError } from "../errors.ts";
import { holdsData } from "../holds-data.ts";
import { migrate } from "../migrate.ts";
import type { Database } from "../open.ts";
import { BackupError } from "./backup-error.ts";
import { copySqlite } from "./copy-sqlite.ts";
import { ignoring } from "./files.ts";
import { withDatabase } from "./place.ts";

/**
 * Makes a database in `folder` from a backup, checked and brought up to date, and runs work on it.
 *
 * @throws BackupError where the file is no backup of Parley, or damaged; NewerDatabase
 */
export const withBackup = async <T>(
  path: string,
  folder: string,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  await refuseStrange(path);
  try {
    await copySqlite(path, join(folder, "parley.db"));
  } catch (error) {
    if (!isDatabaseError(error) && !(error instanceof BackupError)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${path} is damaged: ${reason}`);
  }
  return await withDatabase({ databaseUrl: undefined, dataDir: folder }, async (database) => {
    if (!(await holdsData(database.read))) throw strange(path);
    await migrate(database, undefined, { backup: false });
    return await work(database);
  });
};

/** Every SQLite file begins with this. */
const HEADER = "SQLite format 3\0";

const refuseStrange = async (path: string): Promise<void> => {
  const file = await open(path, "r").catch(ignoring("ENOENT"));
  if (file === undefined) throw new BackupError(`There is no file ${path}.`);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    if (buffer.toString("latin1", 0, bytesRead) !== HEADER) throw strange(path);
  } finally {
    await file.close();
  }
};

const strange = (path: string): BackupError => new BackupError(`${path} is no backup of Parley.`);
