import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { backUp, progressUnit } from "../db/backup/backup.ts";
import { BackupError, isDiskFull } from "../db/errors.ts";
import { isSqlite } from "../db/place.ts";
import { saysDiskFull } from "../lib/durable.ts";
import { backUpFilms } from "./films.ts";
import { filesOfBackup, listFile, type Manifest, madeAtOf, newName } from "./manifest.ts";
import { type BackupPlace, putText } from "./place.ts";
import type { OnWork } from "./work.ts";

export interface MakeOptions {
  /** True if the files of recordings are part of it. */
  readonly recordings: boolean;
  readonly version: string;
  readonly onWork: OnWork;
}

/**
 * Makes a backup in a place while services use the database. Its manifest comes last: a backup
 * that was interrupted at any moment has none, and counts for nothing.
 *
 * @returns its manifest, and how many bytes of recordings were copied
 * @throws BackupError, StoreAway
 */
export const makeBackup = async (
  config: Config,
  place: BackupPlace,
  { recordings, version, onWork }: MakeOptions,
): Promise<{ readonly manifest: Manifest; readonly copied: number }> => {
  try {
    return await place.withDrafts(async (folder) => {
      const name = newName();
      const files = filesOfBackup(name);
      const draft = join(folder, files.database);
      const unit = progressUnit(config);
      const { tables } = await backUp(config, draft, {
        onProgress: (done, of) => onWork("database", done, of, unit),
      });
      const database = await listFile(draft, files.database);
      // Before the draft is gone.
      const films = recordings
        ? await backUpFilms({ config, place, folder, name, database: draft, onWork })
        : undefined;
      await place.put(files.database, draft, (sent) =>
        onWork("sending", sent, database.bytes, "bytes"),
      );
      const manifest: Manifest = {
        parleyBackup: 1,
        name,
        madeAt: new Date(madeAtOf(name) ?? 0).toISOString(),
        version,
        from: isSqlite(config) ? "sqlite" : "postgres",
        database: { ...database, rows: Object.fromEntries(tables.map((t) => [t.table, t.rows])) },
        recordings: films?.part ?? null,
      };
      await putText(place, folder, files.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
      return { manifest, copied: films?.copied ?? 0 };
    });
  } catch (error) {
    if (!saysDiskFull(error) && !isDiskFull(error)) throw error;
    throw new BackupError(
      `The disk is full: nothing of this backup counts, and earlier ones in ${place.shown} are as they were. Make room, or keep fewer (--keep-daily).`,
    );
  }
};
