import { join, resolve } from "node:path";
import { exists } from "../../durable.ts";
import { openSeal, type Seal } from "../../seal.ts";
import type { Database } from "../database.ts";
import { isDatabaseError } from "../errors.ts";
import { holdsData } from "../holds-data.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";
import { lockDataDir } from "../sqlite/lock.ts";
import { BackupError } from "./backup-error.ts";
import { stamp } from "./before-migration.ts";
import { copyDatabase } from "./copy-database.ts";
import { countConnected } from "./copy-side.ts";
import { finishSqlite, type OnProgress } from "./copy-sqlite.ts";
import { besideFile } from "./files.ts";
import { describePlace, fileOf, isSqlite, withDatabase } from "./place.ts";
import { withBackup } from "./read-backup.ts";
import { type Settled, type SettleOptions, settle } from "./settle.ts";
import { swapIn } from "./swap-in.ts";

export interface RestoreOptions extends SettleOptions {
  /** Whether what the database holds may be replaced. */
  readonly force: boolean;
  /** For PostgreSQL: that no service runs on it. */
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
  /** Where the database is that was there before (SQLite). */
  readonly keptAs: string | undefined;
}

/**
 * Puts a backup in the place of the database. Interrupted at any moment it leaves that as it was, or
 * whole.
 *
 * @throws BackupError where a service runs on the database, it holds data, or the file is no good;
 *   ServedAlready, NewerDatabase, SealError
 */
export const restore = async (
  place: RestorePlace,
  path: string,
  options: RestoreOptions,
): Promise<Restored> => {
  await refuseMissingKey(place, options);
  const backup = resolve(path);
  return await (isSqlite(place)
    ? restoreSqlite(place, backup, options)
    : restorePostgres(place, backup, options));
};

const restoreSqlite = async (
  place: RestorePlace,
  backup: string,
  options: RestoreOptions,
): Promise<Restored> => {
  const unlock = lockDataDir(place.dataDir);
  try {
    const path = fileOf(place);
    const occupied = await holdsSomething(place);
    if (occupied && !options.force) throw occupiedBy(place);
    return await besideFile(path, async (folder) => {
      // The key after the backup: a file that is refused leaves no new key behind.
      const settled = await withBackup(backup, folder, async (db) =>
        settleIn(db, await openSeal(place), options),
      );
      const draft = join(folder, "parley.db");
      finishSqlite(draft);
      const keptAs = occupied ? `${path}.before-restore-${stamp()}` : undefined;
      await swapIn(place.dataDir, draft, keptAs);
      return { ...settled, into: describePlace(place), keptAs };
    });
  } finally {
    unlock();
  }
};

const restorePostgres = async (
  place: RestorePlace,
  backup: string,
  options: RestoreOptions,
): Promise<Restored> => {
  const into = describePlace(place);
  if (!options.yes) {
    throw new BackupError(`Stop every service on ${into}, then give --yes as well.`);
  }
  return await withDatabase(place, async (target) => {
    await refuseConnected(target);
    if (!options.force && (await holdsData(target.read))) throw occupiedBy(place);
    await migrate(target);
    return await besideFile(fileOf(place), (folder) =>
      withBackup(backup, folder, async (source) => {
        const settled = await settleIn(source, await openSeal(place), options);
        await refuseConnected(target);
        await copyDatabase(source, target, {
          replace: options.force,
          onProgress: options.onProgress,
        });
        return { ...settled, into, keptAs: undefined };
      }),
    );
  });
};

const settleIn = (database: Database, seal: Seal, options: RestoreOptions): Promise<Settled> =>
  database.change((tx) => settle(tx, seal, options));

/** Before a key is made, which would be another one. */
const refuseMissingKey = async (place: RestorePlace, { newKey }: RestoreOptions): Promise<void> => {
  const file = join(place.dataDir, "secret.key");
  if (newKey || place.secret !== undefined || (await exists(file))) return;
  throw new BackupError(
    `The sealing key of the backup is needed: put its secret.key into ${place.dataDir}, or set PARLEY_SECRET. ` +
      "Where it is lost, --new-key restores all but the letters that were not sent.",
  );
};

/** Whether a restore would take something away. What cannot be read might be worth keeping. */
const holdsSomething = async (place: RestorePlace): Promise<boolean> => {
  if (!(await exists(fileOf(place)))) return false;
  try {
    const database = await openDatabase(place);
    try {
      return await holdsData(database.read);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (isDatabaseError(error)) return true;
    throw error;
  }
};

const occupiedBy = (place: RestorePlace): BackupError => {
  const kept = isSqlite(place) ? " and keeps it under another name" : "";
  return new BackupError(
    `There is data in ${describePlace(place)} already; --force replaces it${kept}.`,
  );
};

const refuseConnected = async (target: Database): Promise<void> => {
  const connected = await countConnected(target);
  if (connected === 0) return;
  throw new BackupError(
    `Parley is connected to this database (${connected} connections): stop every service on it first.`,
  );
};
