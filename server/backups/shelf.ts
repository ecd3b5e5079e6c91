import { BackupError, DamagedBackup } from "../db/errors.ts";
import { digestOf } from "../lib/digest.ts";
import { ignoring } from "../lib/durable.ts";
import {
  backupOf,
  filesOfBackup,
  type ListedFile,
  listFile,
  type Manifest,
  madeAtOf,
  parseFilms,
  parseManifest,
  parseMark,
} from "./manifest.ts";
import { type BackupPlace, readText } from "./place.ts";

/** A backup of a place, in words for lists. */
export interface BackupEntry {
  readonly name: string;
  readonly madeAt: string;
  /** Of the database. */
  readonly bytes: number;
  /** How many recordings it has files of; null: none were asked for. */
  readonly recordings: number | null;
  readonly verifiedAt: string | null;
}

type Sizes = ReadonlyMap<string, number>;

/** The names of the backups that are whole, the newest first. */
export const wholeBackups = (sizes: Sizes): string[] =>
  [...new Set([...sizes.keys()].map(backupOf))]
    .filter((name) => name !== undefined)
    .filter((name) => sizes.has(filesOfBackup(name).manifest))
    .toSorted((one, other) => (madeAtOf(other) ?? 0) - (madeAtOf(one) ?? 0));

/** The manifest of a backup. @throws BackupError if there is none, or it is damaged */
export const manifestOf = async (
  place: BackupPlace,
  name: string,
  sizes: Sizes,
): Promise<Manifest> => {
  const { manifest: file } = filesOfBackup(name);
  return parseManifest(await readText(place, file, sizes), `${file} in ${place.shown}`);
};

/**
 * The file of a backup's database on this machine, compared with the manifest.
 *
 * @param folder for a copy, if the place is elsewhere
 * @throws DamagedBackup if it is damaged or missing; StoreAway
 */
export const databaseOf = async (
  place: BackupPlace,
  { database }: Manifest,
  folder: string,
): Promise<string> => {
  const { file, bytes, sha256 } = database;
  const path = await place.local(file, bytes, folder);
  const found = await listFile(path, file).catch(ignoring("ENOENT"));
  if (found?.sha256 === sha256) return path;
  throw new DamagedBackup(
    found === undefined
      ? `${file} is not in ${place.shown}.`
      : `${file} is damaged: its SHA-256 is not that of the manifest.`,
  );
};

/** The files of recordings that a backup lists, whole or not; none without recordings. @throws BackupError */
export const filmsOf = async (
  place: BackupPlace,
  name: string,
  sizes: Sizes,
): Promise<ListedFile[]> => {
  const { films: file } = filesOfBackup(name);
  if (!sizes.has(file)) return [];
  return parseFilms(await readText(place, file, sizes), `${file} in ${place.shown}`);
};

/**
 * The same of a whole backup, compared with its manifest.
 *
 * @throws DamagedBackup if the list is damaged or missing; StoreAway
 */
export const checkedFilmsOf = async (
  place: BackupPlace,
  { recordings }: Manifest,
  sizes: Sizes,
): Promise<ListedFile[]> => {
  if (recordings === null) return [];
  const { file, sha256 } = recordings;
  const what = `${file} in ${place.shown}`;
  const text = await readText(place, file, sizes);
  if (digestOf(text) !== sha256) {
    throw new DamagedBackup(`${what} is damaged: its SHA-256 is not that of the manifest.`);
  }
  return parseFilms(text, what);
};

/** When a backup was last found to be good; null: never. @throws BackupError */
export const verifiedAtOf = async (
  place: BackupPlace,
  name: string,
  sizes: Sizes,
): Promise<string | null> => {
  const { mark: file } = filesOfBackup(name);
  if (!sizes.has(file)) return null;
  return parseMark(await readText(place, file, sizes), `${file} in ${place.shown}`).verifiedAt;
};

/** The whole backups of a place, the newest first. @throws BackupError, StoreAway */
export const listBackups = async (place: BackupPlace): Promise<BackupEntry[]> => {
  const sizes = await place.names();
  const entries: BackupEntry[] = [];
  for (const name of wholeBackups(sizes)) {
    const { madeAt, database, recordings } = await manifestOf(place, name, sizes);
    const verifiedAt = await verifiedAtOf(place, name, sizes);
    const { bytes } = database;
    entries.push({ name, madeAt, bytes, recordings: recordings?.count ?? null, verifiedAt });
  }
  return entries;
};

/**
 * The name of a backup of a place.
 *
 * @param given a name, or `latest`
 * @throws BackupError if there is none
 */
export const backupNamed = (place: BackupPlace, given: string, sizes: Sizes): string => {
  const names = wholeBackups(sizes);
  const found = given === "latest" ? names[0] : names.find((name) => name === given);
  if (found !== undefined) return found;
  throw new BackupError(
    given === "latest"
      ? `There is no backup in ${place.shown} yet.`
      : `There is no whole backup ${given} in ${place.shown}; "parley backup list" shows those that there are.`,
  );
};

/** The state of a place, for doctor: its newest backup, and the newest one that was verified. */
export interface ShelfState {
  readonly newest: string | undefined;
  readonly verified: { readonly name: string; readonly at: string } | undefined;
}

/** @throws BackupError, StoreAway */
export const shelfState = async (place: BackupPlace): Promise<ShelfState> => {
  const sizes = await place.names();
  const names = wholeBackups(sizes);
  const name = names.find((one) => sizes.has(filesOfBackup(one).mark));
  const at = name === undefined ? null : await verifiedAtOf(place, name, sizes);
  return {
    newest: names[0],
    verified: name === undefined || at === null ? undefined : { name, at },
  };
};
