import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { exists, FileExists, ignoring, putInPlace } from "../../durable.ts";
import type { DatabaseConfig } from "../database.ts";
import { BackupError } from "../errors.ts";
import { isSqlite } from "../open.ts";
import { copyDatabase } from "./copy-database.ts";
import { copySqlite, finishSqlite, type OnProgress, type TableCount } from "./copy-sqlite.ts";
import { besideFile } from "./files.ts";
import { fileOf, refuseMissing, withDatabase } from "./place.ts";

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

/**
 * Writes the whole database, as it is at one moment, into one file, while services use it. The file
 * is a SQLite database with the tables of this installation, even if they are on PostgreSQL. It
 * does not hold the sealing key.
 *
 * @throws BackupError if the file exists, or there is nothing to back up
 */
export const backUp = async (
  place: DatabaseConfig,
  path: string,
  { force = false, onProgress }: BackupOptions = {},
): Promise<BackupMade> => {
  const file = resolve(path);
  await refuseMissing(place);
  if (isSqlite(place)) await refuseSame(file, fileOf(place));
  await refuseFolder(file);
  if (!force && (await exists(file))) throw alreadyThere(file);
  const tables = await besideFile(file, async (folder) => {
    const draft = join(folder, "parley.db");
    const counted = isSqlite(place)
      ? await copySqlite(fileOf(place), draft, onProgress)
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

const refuseFolder = async (file: string): Promise<void> => {
  const found = await stat(file).catch(ignoring("ENOENT"));
  if (found?.isDirectory()) {
    throw new BackupError(
      `${file} is a folder: give the name of a file, such as ${join(file, "parley-backup.db")}.`,
    );
  }
};

/** Overwriting the database itself would pull it away from under the service. */
const refuseSame = async (file: string, database: string): Promise<void> => {
  const [one, other] = await Promise.all(
    [file, database].map((path) => stat(path).catch(ignoring("ENOENT"))),
  );
  if (one !== undefined && one.ino === other?.ino && one.dev === other.dev) {
    throw new BackupError(`${file} is the database itself: give the backup another name.`);
  }
};

const copyPostgres = async (
  place: DatabaseConfig,
  folder: string,
  onProgress: OnProgress | undefined,
): Promise<TableCount[]> => {
  const draft = { databaseUrl: undefined, dataDir: folder };
  await withDatabase(place, (source) =>
    withDatabase(draft, (target) => copyDatabase(source, target, { onProgress })),
  );
  return finishSqlite(fileOf(draft));
};
