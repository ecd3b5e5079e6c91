import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FileExists, ignoring, putInPlace } from "../../durable.ts";
import { BackupError } from "../errors.ts";
import { type DatabaseConfig, databaseFile, isSqlite } from "../place.ts";
import { copyDatabase } from "./copy.ts";
import { besideFile } from "./files.ts";
import { withOwnDatabase } from "./place.ts";
import { copySqlite, finishSqlite, type OnProgress, type TableCount } from "./sqlite-file.ts";

export interface BackupMade {
  readonly file: string;
  readonly bytes: number;
  readonly tables: readonly TableCount[];
}

export interface BackupOptions {
  /** Whether to overwrite an existing file. */
  readonly force?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** What the progress of a backup counts. */
export const progressUnit = (place: DatabaseConfig): "pages" | "rows" =>
  isSqlite(place) ? "pages" : "rows";

/**
 * Writes the whole database, as it is at one moment, into one file, while services use it. The file
 * is a SQLite database with the tables of this installation, even if they are on PostgreSQL. It
 * does not hold the sealing key.
 *
 * @throws BackupError if the file exists, or is the database itself
 */
export const backUp = async (
  place: DatabaseConfig,
  path: string,
  { force = false, onProgress }: BackupOptions = {},
): Promise<BackupMade> => {
  const file = resolve(path);
  await refuseTaken(file, place, force);
  const tables = await besideFile(file, async (folder) => {
    const draft = databaseFile(folder);
    const counted = isSqlite(place)
      ? await copySqlite(databaseFile(place.dataDir), draft, onProgress)
      : await copyPostgres(place, folder, onProgress);
    await putInPlace(draft, file, force).catch((error: unknown) => {
      throw error instanceof FileExists ? alreadyThere(file) : error;
    });
    return counted;
  });
  const { size } = await stat(file);
  return { file, bytes: size, tables };
};

const alreadyThere = (file: string): BackupError =>
  new BackupError(`${file} exists already; --force writes over it.`);

const refuseTaken = async (file: string, place: DatabaseConfig, force: boolean): Promise<void> => {
  const found = await stat(file).catch(ignoring("ENOENT"));
  if (found === undefined) return;
  if (found.isDirectory()) {
    throw new BackupError(
      `${file} is a folder: give the name of a file, such as ${join(file, "parley-backup.db")}.`,
    );
  }
  if (isSqlite(place)) {
    // Overwriting the database itself would pull it away from under the service.
    const database = await stat(databaseFile(place.dataDir));
    if (found.ino === database.ino && found.dev === database.dev) {
      throw new BackupError(`${file} is the database itself: give the backup another name.`);
    }
  }
  if (!force) throw alreadyThere(file);
};

const copyPostgres = async (
  place: DatabaseConfig,
  folder: string,
  onProgress: OnProgress | undefined,
): Promise<TableCount[]> => {
  const draft = { databaseUrl: undefined, dataDir: folder };
  await withOwnDatabase(place, (source) =>
    withOwnDatabase(draft, (target) => copyDatabase(source, target, { onProgress })),
  );
  return finishSqlite(databaseFile(folder));
};
