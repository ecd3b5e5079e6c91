import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { putInPlace } from "../../lib/durable.ts";
import { BackupError } from "../errors.ts";
import { databaseFile } from "../place.ts";
import { kyselyOn } from "../sqlite/kysely.ts";
import { privateFile } from "../sqlite/lock.ts";
import { statementRunner } from "../sqlite/statements.ts";
import { besideFile, stamp } from "./files.ts";

/** Receives the progress of long work. */
export type OnProgress = (done: number, of: number) => void;

/** How many rows a table has. */
export interface TableCount {
  readonly table: string;
  readonly rows: number;
}

/** Runs work on a SQLite database as it is at one moment, while others read it and write to it. */
export const readingFile = async <T>(
  path: string,
  work: (kysely: Kysely<unknown>, db: DatabaseSync) => Promise<T>,
): Promise<T> => {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    db.exec("begin");
    // The first read, not "begin", takes the snapshot.
    db.prepare("select count(*) from sqlite_schema").get();
    return await work(kyselyOn<unknown>(statementRunner(db)), db);
  } finally {
    db.close();
  }
};

/** Pages copied in one go: 4 MiB, a few milliseconds. */
const PAGES_AT_ONCE = 1_000;

/**
 * Copies a SQLite database as it is at one moment into a new file, while others read it and write
 * to it, and checks the copy.
 *
 * This is SQLite's online backup, in a read transaction that is held from its start to its end.
 * Without the transaction, every commit of another process restarts the backup: on a busy service it
 * never ends. With it, the copy is the snapshot of that transaction, and writers do not wait: they go
 * on in the WAL. VACUUM INTO is as consistent and as fast, but it shows no progress, and it rebuilds
 * the indexes, so that it does not notice damage to them.
 */
export const copySqlite = async (
  from: string,
  to: string,
  onProgress?: OnProgress,
): Promise<TableCount[]> => {
  // Of the last pages there is no news.
  let all = 0;
  // A reader writes beside a database in WAL mode.
  await readingFile(privateFile(from), (_, source) =>
    backup(source, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => {
        all = totalPages;
        onProgress?.(totalPages - remainingPages, totalPages);
      },
    }),
  );
  if (all > 0) onProgress?.(all, all);
  return finishSqlite(to);
};

/**
 * Makes a database a single file that can be moved, and checks all of it.
 *
 * @throws BackupError if anything in it is damaged
 */
export const finishSqlite = (path: string): TableCount[] => {
  const db = new DatabaseSync(path);
  try {
    // Out of WAL mode: in that mode even a reader creates files beside it.
    db.exec("pragma journal_mode = delete");
    checkSqlite(db);
    return countTables(db);
  } finally {
    db.close();
  }
};

/** @throws BackupError if anything in the database is damaged */
export const checkSqlite = (db: DatabaseSync): void => {
  const { integrity_check: found } = db.prepare("pragma integrity_check(1)").get() ?? {};
  if (found !== "ok") throw new BackupError(`The database is damaged: ${found}.`);
  const orphan = db.prepare("pragma foreign_key_check").get();
  if (orphan) throw new BackupError(`A row of ${orphan.table} refers to none of ${orphan.parent}.`);
};

/** How many rows each table of a SQLite database has. */
export const countTables = (db: DatabaseSync): TableCount[] =>
  db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite|kysely)_/.test(name))
    .map((table) => {
      const { rows } = db.prepare(`select count(*) as rows from "${table}"`).get() ?? {};
      return { table, rows: Number(rows) };
    });

/** How many backups made before migrations are kept. */
const KEPT = 3;

/**
 * Backs up the SQLite database into DATA_DIR/backups before a migration changes it: the way back to
 * the previous version.
 *
 * @returns the path of the backup
 * @throws BackupError if that fails: better no migration than one without a way back
 */
export const keepBefore = async (dataDir: string, migration: string): Promise<string> => {
  const folder = join(dataDir, "backups");
  const path = join(folder, `before-${migration}-${stamp()}.db`);
  try {
    await besideFile(path, async (partial) => {
      const draft = databaseFile(partial);
      await copySqlite(databaseFile(dataDir), draft);
      await putInPlace(draft, path, false);
    });
    await forgetOld(folder);
    return path;
  } catch (error) {
    // Not the database's own error: the start would mistake a full disk for a database that is away.
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(
      `The database has to be changed for this version (${migration}), and could not be backed up to ${path} before: ${reason}`,
    );
  }
};

const forgetOld = async (folder: string): Promise<void> => {
  const timeOf = (name: string) => /^before-.+-(\d{8}T\d{9}Z)\.db$/.exec(name)?.[1] ?? "";
  const made = (await readdir(folder)).filter((name) => timeOf(name) !== "");
  const newestFirst = made.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  for (const name of newestFirst.slice(KEPT)) await unlink(join(folder, name));
};
