import { constants } from "node:fs";
import { access, rename, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  exists,
  ignoring,
  ignoringAbsence,
  linked,
  putInPlace,
  sync,
  syncFolder,
} from "../../lib/durable.ts";
import {
  BackupError,
  DamagedBackup,
  isBusy,
  isDatabaseError,
  isNoDatabase,
  isUnavailable,
  NewerDatabase,
} from "../errors.ts";
import { holdsData, migrate, refuseUnknown } from "../migrate.ts";
import type { Database } from "../open.ts";
import { databaseFile, isSqlite, keyFile } from "../place.ts";
import { openSeal, SealError } from "../seal.ts";
import { lockDataDir } from "../sqlite/lock.ts";
import { copyDatabase, copyRows } from "./copy.ts";
import { besideFile, stamp } from "./files.ts";
import { countConnected, describePlace, withOwnDatabase } from "./place.ts";
import { type Settled, type SettleOptions, settle } from "./settle.ts";
import { checkSqlite, finishSqlite, type OnProgress, readingFile } from "./sqlite-file.ts";

export interface RestoreOptions extends SettleOptions {
  /** True to replace the data in the database. */
  readonly force: boolean;
  /** For PostgreSQL: the operator confirms that no service runs on it. */
  readonly yes: boolean;
  readonly onProgress?: OnProgress;
}

/** Where to restore to, and where the sealing key comes from. */
export interface RestorePlace {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly secret: string | undefined;
}

export interface Restored extends Settled {
  readonly into: string;
  /** The path of the replaced database (SQLite). */
  readonly keptAs: string | undefined;
}

/**
 * Replaces the database with a backup. If it is interrupted at any moment, the database is as it
 * was, or completely replaced.
 *
 * @throws BackupError if a service runs on the database, it holds data, or the file cannot be used;
 *   ServedAlready, NewerDatabase, OldDatabase, SealError
 */
export const restore = async (
  place: RestorePlace,
  path: string,
  options: RestoreOptions,
): Promise<Restored> => {
  await refuseMissingKey(place, options);
  const restoreInto = isSqlite(place) ? restoreSqlite : restorePostgres;
  const { keptAs, ...settled } = await restoreInto(place, resolve(path), options);
  return { ...settled, into: describePlace(place), keptAs };
};

type Outcome = Omit<Restored, "into">;

const restoreSqlite = async (
  place: RestorePlace,
  backup: string,
  options: RestoreOptions,
): Promise<Outcome> => {
  const held = await lockDataDir(place.dataDir, () => {});
  try {
    const path = databaseFile(place.dataDir);
    const occupied = (await exists(path)) && (await holdsSomething(path));
    if (occupied && !options.force) throw occupiedBy(place);
    return await besideFile(path, async (folder) => {
      const settled = await makeFrom(backup, folder, place, options, async () => {});
      const draft = databaseFile(folder);
      finishSqlite(draft);
      const aside = `${path}.before-restore-${stamp()}`;
      await swapIn(path, draft, aside, occupied);
      return { ...settled, keptAs: occupied ? aside : undefined };
    });
  } finally {
    held.release();
  }
};

const restorePostgres = async (
  place: RestorePlace,
  backup: string,
  options: RestoreOptions,
): Promise<Outcome> => {
  if (!options.yes) {
    throw new BackupError(
      `Stop every service on ${describePlace(place)}, then give --yes as well.`,
    );
  }
  return await withOwnDatabase(place, async (target) => {
    await refuseConnected(target);
    if (!options.force && (await holdsData(target.read))) throw occupiedBy(place);
    await refuseNewer(place, target);
    await migrate(target);
    const settled = await besideFile(databaseFile(place.dataDir), (folder) =>
      makeFrom(backup, folder, place, options, async (source) => {
        await refuseConnected(target);
        const { force: replace, onProgress } = options;
        await copyDatabase(source, target, { replace, onProgress });
      }),
    );
    return { ...settled, keptAs: undefined };
  });
};

/** @throws BackupError if a newer version has made tables here: this one cannot bring back the former ones */
const refuseNewer = async (place: RestorePlace, { read }: Database): Promise<void> => {
  try {
    await refuseUnknown(read, { whole: true });
  } catch (error) {
    if (!(error instanceof NewerDatabase)) throw error;
    throw new BackupError(
      `${describePlace(place)} has the tables of a newer Parley. As an administrator of PostgreSQL make an empty database ("create database NAME owner ROLE"), set DATABASE_URL to it, and restore there.`,
    );
  }
};

/**
 * Makes a database in `folder` from a backup, migrates and settles it, and runs work on it. Only rows
 * are taken from the file, into tables that the migrations make; triggers, views, indexes and tables of
 * another shape are not.
 *
 * @throws DamagedBackup if the file is not a backup of Parley, or damaged; NewerDatabase, OldDatabase
 */
const makeFrom = async (
  path: string,
  folder: string,
  place: RestorePlace,
  options: RestoreOptions,
  work: (database: Database) => Promise<void>,
): Promise<Settled> => {
  const found = await stat(path).catch(ignoringAbsence);
  if (found === undefined) {
    throw new BackupError(
      `There is no file ${path}. "parley backup list" names the backups in BACKUP_TO.`,
    );
  }
  if (found.isDirectory()) {
    throw new BackupError(
      `${path} is a folder: give a file, or "latest --from ${path}" for the newest backup in it.`,
    );
  }
  await access(path, constants.R_OK);
  return await withOwnDatabase({ databaseUrl: undefined, dataDir: folder }, async (database) => {
    let isSound = false;
    const taken = await readingFile(path, async (source, file) => {
      checkSqlite(file);
      isSound = true;
      if (!(await holdsData(source))) return false;
      await refuseUnknown(source, { whole: true });
      // On PostgreSQL the second copy, into the database itself, takes longer.
      await copyRows(source, database, isSqlite(place) ? { onProgress: options.onProgress } : {});
      return true;
    }).catch((error: unknown) => {
      if (isNoDatabase(error)) return false;
      if (!isDatabaseError(error) && !(error instanceof BackupError)) throw error;
      // Of the database that is filled, such as a full disk.
      if (isSound && isUnavailable(error)) throw error;
      throw new DamagedBackup(`${path} is damaged: ${(error as Error).message}`);
    });
    if (!taken) throw new DamagedBackup(`${path} is not a Parley backup.`);
    await migrate(database, undefined, { backup: false });
    // The key only now: a file that is refused leaves no new key behind.
    const seal = await openSeal(place);
    const settled = await database
      .change((tx) => settle(tx, seal, options))
      .catch((error: unknown) => {
        if (!(error instanceof SealError)) throw error;
        throw new SealError(
          `The backup was made with another sealing key. ${error.message} ${LOST}`,
        );
      });
    await work(database);
    return settled;
  });
};

/** The way without the sealing key of a backup. */
const LOST = 'If it is lost, "parley restore --help" says what --new-key costs.';

/** Checked before a key is made, which would not open the backup. */
const refuseMissingKey = async (place: RestorePlace, { newKey }: RestoreOptions): Promise<void> => {
  const file = keyFile(place.dataDir);
  if (newKey || place.secret !== undefined || (await exists(file))) return;
  throw new BackupError(
    `The sealing key of the backup is needed: put its secret.key into ${place.dataDir}, or set PARLEY_SECRET. ${LOST}`,
  );
};

/** Returns whether a restore would remove data. A database that cannot be read may be worth keeping. */
const holdsSomething = (path: string): Promise<boolean> =>
  readingFile(path, holdsData).catch((error: unknown) => {
    if (isDatabaseError(error)) return true;
    throw error;
  });

const occupiedBy = (place: RestorePlace): BackupError => {
  const kept = isSqlite(place) ? " and keeps it under another name" : "";
  return new BackupError(
    `There is data in ${describePlace(place)} already; --force replaces it${kept}.`,
  );
};

/** PostgreSQL counts a connection for a moment after it was closed. */
const CLOSING_MS = 2_000;

const refuseConnected = async (target: Database): Promise<void> => {
  const until = performance.now() + CLOSING_MS;
  let connected = await countConnected(target);
  while (connected > 0 && performance.now() < until) {
    await sleep(100);
    connected = await countConnected(target);
  }
  if (connected === 0) return;
  throw new BackupError(
    `Parley is connected to this database (${connected} connections): stop every service on it first.`,
  );
};

/**
 * Replaces the database with a finished file. The caller holds the lock of the folder. At any moment
 * the old database is there, or the new one.
 *
 * @param aside the new name of the old one
 * @param keeps whether the old one is kept; it is not if it was empty
 */
const swapIn = async (
  path: string,
  draft: string,
  aside: string,
  keeps: boolean,
): Promise<void> => {
  // May take seconds: an interruption before the next steps leaves the old file as it was.
  await sync(draft);
  const letGo = await holdOld(path, aside);
  try {
    // A second name for the old file. On a file system without hard links there is for a moment no
    // database under the first name, and a start at that moment says so.
    const hasTwoNames = keeps && (await linked(path, aside));
    if (keeps && !hasTwoNames) {
      letGo();
      await rename(path, aside);
    }
    // Windows does not replace a file that is open.
    if (process.platform === "win32") letGo();
    await putInPlace(draft, path, true).catch(async (error: unknown) => {
      // Nothing was replaced: the second name would be that of the live database.
      if (hasTwoNames && (await exists(draft))) await unlink(aside);
      throw error;
    });
  } finally {
    letGo();
  }
};

/**
 * Makes the old database a single file and locks it. Its WAL must not stay: SQLite would apply it to
 * the new database.
 */
const holdOld = async (path: string, aside: string): Promise<() => void> => {
  if (!(await exists(path))) {
    // Somebody moved it away, without its WAL.
    await moveCompanions(path, aside);
    return () => {};
  }
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
    await moveCompanions(path, aside);
    return letGo;
  }
};

/** Moves away what SQLite left beside a database. */
const moveCompanions = async (path: string, aside: string): Promise<void> => {
  for (const companion of ["-wal", "-shm", "-journal"]) {
    await rename(path + companion, aside + companion).catch(ignoring("ENOENT"));
  }
  await syncFolder(dirname(path));
};
