import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../config/config.ts";
import { withOwnDatabase } from "../db/backup/place.ts";
import { BackupError } from "../db/errors.ts";
import { ignoringAbsence, putInPlace } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";
import { openFolder } from "../recordings/folder-store.ts";
import { openStores } from "../recordings/stores.ts";
import { filmsIn } from "./films.ts";
import { FILMS } from "./manifest.ts";
import type { BackupPlace } from "./place.ts";
import { databaseOf, filmsOf, manifestOf } from "./shelf.ts";
import type { OnWork } from "./work.ts";

/**
 * Runs work with the database file of a backup, compared with its manifest.
 *
 * @throws BackupError if it is damaged; StoreAway
 */
export const withBackupFile = <T>(
  place: BackupPlace,
  name: string,
  work: (path: string) => Promise<T>,
): Promise<T> =>
  place.withDrafts(async (folder) => {
    const manifest = await manifestOf(place, name, await place.names());
    return work(await databaseOf(place, manifest, folder));
  });

/**
 * Brings the files of recordings back that the restored database knows and that are missing where
 * it says.
 *
 * @returns how many files were brought back
 * @throws BackupError if the backup has no recordings; StoreAway
 */
export const bringBackFilms = async (
  config: Config,
  place: BackupPlace,
  name: string,
  onWork: OnWork,
): Promise<number> => {
  const sizes = await place.names();
  const { recordings } = await manifestOf(place, name, sizes);
  if (recordings === null) throw new BackupError(`${name} has no recordings.`);
  const listed = new Map((await filmsOf(place, name, sizes)).map((one) => [one.file, one]));
  const wanted = await withOwnDatabase(config, ({ read }) => filmsIn(read));
  const here = openFolder(config.dataDir);
  const store = await openStores(config).s3?.();
  let [done, count] = [0, 0];
  await place.withDrafts(async (folder) => {
    for (const { path, bytes, store: kept } of wanted) {
      const film = listed.get(FILMS + path);
      if (film === undefined) continue;
      const target = here.path(path);
      const s3 = kept === "s3" ? store : undefined;
      const found = s3 ? await s3.sizeOf(path) : (await stat(target).catch(ignoringAbsence))?.size;
      done += bytes;
      onWork("recordings", done, recordings.size, "bytes");
      if (found === bytes) continue;
      // Beside its place, so that it is renamed there.
      const draft = s3 ? join(folder, "film") : `${target}.partial`;
      await makeFolder(dirname(draft));
      await pipeline(await place.read(film.file, bytes), createWriteStream(draft, { mode: 0o600 }));
      if (s3) await s3.put(path, draft, bytes, new AbortController().signal);
      else await putInPlace(draft, target, true);
      count += 1;
    }
  });
  return count;
};
