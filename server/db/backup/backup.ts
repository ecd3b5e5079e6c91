import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ignoring } from "../../lib/durable.ts";
import { BackupError } from "../errors.ts";
import { type DatabaseConfig, databaseFile, isSqlite } from "../place.ts";
import { copyDatabase } from "./copy.ts";
import { writeNamed } from "./files.ts";
import { withOwnDatabase } from "./place.ts";
import { copySqlite, finishSqlite, type OnProgress, type TableCount } from "./sqlite-file.ts";

export interface BackupMade {
  readonly file: string;
  readonly bytes: number;
  readonly tables: readonly TableCount[];
}

export interface BackupOptions {
  /** True to overwrite an existing file. */
  readonly force?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** The unit in which a backup of this database reports its progress. */
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
  await refuseOwn(file, place);
  const named = { force, example: "parley-backup.db" };
  const tables = await writeNamed(file, named, async (folder) => {
    const draft = databaseFile(folder);
    const counted = isSqlite(place)
      ? await copySqlite(databaseFile(place.dataDir), draft, onProgress)
      : await copyPostgres(place, folder, onProgress);
    return [draft, counted];
  });
  const { size } = await stat(file);
  return { file, bytes: size, tables };
};

/** Overwriting the database itself would pull it away from under the service. */
const refuseOwn = async (file: string, place: DatabaseConfig): Promise<void> => {
  const found = await stat(file).catch(ignoring("ENOENT"));
  if (found === undefined || !isSqlite(place)) return;
  const database = await stat(databaseFile(place.dataDir));
  if (found.ino === database.ino && found.dev === database.dev) {
    throw new BackupError(`${file} is the database itself: give the backup another name.`);
  }
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
