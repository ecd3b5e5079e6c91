import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ignoring } from "../../durable.ts";
import type { Database } from "../database.ts";
import { BackupError, isDatabaseError } from "../errors.ts";
import { holdsData, migrate, refuseNewer } from "../migrate.ts";
import { copyDatabase } from "./copy-database.ts";
import { copySqlite } from "./copy-sqlite.ts";
import { fileOf, withDatabase } from "./place.ts";

/**
 * Makes a database in `folder` from a backup, migrates it, and runs work on it. Only rows are taken
 * from the file, into tables that the migrations make; triggers, views, indexes and tables of another
 * shape are not.
 *
 * @throws BackupError if the file is no backup of Parley, or damaged; NewerDatabase
 */
export const withBackup = async <T>(
  path: string,
  folder: string,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  await refuseStrange(path);
  const copy = { databaseUrl: undefined, dataDir: join(folder, "copy") };
  const draft = { databaseUrl: undefined, dataDir: folder };
  await mkdir(copy.dataDir, { mode: 0o700 });
  await undamaged(path, () => copySqlite(path, fileOf(copy)));
  await withDatabase(copy, async (source) => {
    if (!(await holdsData(source.read))) throw strange(path);
    await refuseNewer(source.read);
    await undamaged(path, () => withDatabase(draft, (target) => copyDatabase(source, target)));
  });
  await rm(copy.dataDir, { recursive: true });
  return await withDatabase(draft, async (database) => {
    await migrate(database, undefined, { backup: false });
    return await work(database);
  });
};

/** Runs work on the content of a file. @throws BackupError that names the file, if it fails */
const undamaged = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseError(error) && !(error instanceof BackupError)) throw error;
    throw new BackupError(`${path} is damaged: ${(error as Error).message}`);
  }
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
