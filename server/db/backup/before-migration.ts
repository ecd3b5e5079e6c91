import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { putInPlace } from "../../durable.ts";
import { BackupError } from "../errors.ts";
import { copySqlite } from "./copy-sqlite.ts";
import { besideFile } from "./files.ts";

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
      const draft = join(partial, "parley.db");
      await copySqlite(join(dataDir, "parley.db"), draft);
      await putInPlace(draft, path, false);
    });
    await forgetOld(folder);
    return path;
  } catch (error) {
    // Not the database's own error: the start would take a full disk for a database that is away.
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(
      `The database has to be changed for this version (${migration}), and could not be backed up to ${path} before: ${reason}`,
    );
  }
};

/** The current time as part of a file's name: `20260131T093000123Z`. */
export const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, "");

const forgetOld = async (folder: string): Promise<void> => {
  const made = (await readdir(folder))
    .flatMap((name) => {
      const time = /^before-.+-(\d{8}T\d{9}Z)\.db$/.exec(name)?.[1];
      return time === undefined ? [] : [{ name, time }];
    })
    .toSorted((one, other) => (one.time < other.time ? 1 : -1));
  for (const { name } of made.slice(KEPT)) await unlink(join(folder, name));
};
