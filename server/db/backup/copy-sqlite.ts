import { backup, DatabaseSync } from "node:sqlite";
import { BackupError } from "../errors.ts";

/** Receives the progress of long work. */
export type OnProgress = (done: number, of: number) => void;

/** How many rows a table has. */
export interface TableCount {
  readonly table: string;
  readonly rows: number;
}

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
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    source.exec("begin");
    // The first read, not "begin", takes the snapshot.
    const before = countTables(source);
    await backup(source, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) =>
        onProgress?.(totalPages - remainingPages, totalPages),
    });
    const after = finishSqlite(to);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      throw new BackupError("The copy does not have the rows of the database.");
    }
    return after;
  } finally {
    source.close();
  }
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
    const { integrity_check: found } = db.prepare("pragma integrity_check(1)").get() ?? {};
    if (found !== "ok") throw new BackupError(`The database is damaged: ${found}.`);
    const orphan = db.prepare("pragma foreign_key_check").get();
    if (orphan) {
      throw new BackupError(`A row of ${orphan.table} refers to none of ${orphan.parent}.`);
    }
    return countTables(db);
  } finally {
    db.close();
  }
};

const countTables = (db: DatabaseSync): TableCount[] => {
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite|kysely)_/.test(name));
  return tables.map((table) => {
    const { rows } = db.prepare(`select count(*) as rows from "${table}"`).get() ?? {};
    return { table, rows: Number(rows) };
  });
};
