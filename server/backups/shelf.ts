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

/** A backup whose manifest is damaged: it counts for nothing, as without one. */
export interface DamagedEntry {
  readonly name: string;
  /** The damage, in a sentence. */
  readonly what: string;
}

type Sizes = ReadonlyMap<string, number>;

/** The names of the backups that have a manifest, the newest first. */
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

/** When a backup was last found to be good; null: never, or the note of it is damaged. */
const verifiedAtOf = async (
  place: BackupPlace,
  name: string,
  sizes: Sizes,
): Promise<string | null> => {
  const { mark: file } = filesOfBackup(name);
  if (!sizes.has(file)) return null;
  const text = await readText(place, file, sizes);
  return undamaged(() => parseMark(text, file).verifiedAt) ?? null;
};

/** What work gives; undefined if it meets damage. */
const undamaged = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (error instanceof DamagedBackup) return undefined;
    throw error;
  }
};

/** The backups of a place by their manifests, each kind with the newest first. */
export interface Shelf {
  readonly whole: readonly Manifest[];
  readonly damaged: readonly DamagedEntry[];
}

/** Reads every manifest of a place. @throws StoreAway */
export const readShelf = async (place: BackupPlace, sizes: Sizes): Promise<Shelf> => {
  const whole: Manifest[] = [];
  const damaged: DamagedEntry[] = [];
  for (const name of wholeBackups(sizes)) {
    try {
      whole.push(await manifestOf(place, name, sizes));
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damaged.push({ name, what: error.message });
    }
  }
  return { whole, damaged };
};

/** The backups of a place for a list, the newest first, and the damaged ones. @throws StoreAway */
export const listBackups = async (
  place: BackupPlace,
): Promise<{ readonly backups: BackupEntry[]; readonly damaged: readonly DamagedEntry[] }> => {
  const sizes = await place.names();
  const { whole, damaged } = await readShelf(place, sizes);
  const backups: BackupEntry[] = [];
  for (const { name, madeAt, database, recordings } of whole) {
    const verifiedAt = await verifiedAtOf(place, name, sizes);
    const { bytes } = database;
    backups.push({ name, madeAt, bytes, recordings: recordings?.count ?? null, verifiedAt });
  }
  return { backups, damaged };
};

/**
 * Finds a backup of a place. The latest is the newest whose manifest is good; if none is, the newest.
 *
 * @param given a name, or `latest`
 * @returns its name, and the newer ones that were skipped
 * @throws BackupError if there is none
 */
export const backupNamed = async (
  place: BackupPlace,
  given: string,
  sizes: Sizes,
): Promise<{ readonly name: string; readonly skipped: readonly DamagedEntry[] }> => {
  const names = wholeBackups(sizes);
  if (given === "latest") {
    const { whole, damaged } = await readShelf(place, sizes);
    const name = whole[0]?.name ?? names[0];
    const isNewer = (one: DamagedEntry): boolean =>
      names.indexOf(one.name) < names.indexOf(name ?? "");
    if (name !== undefined) return { name, skipped: damaged.filter(isNewer) };
  }
  if (names.includes(given)) return { name: given, skipped: [] };
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
  readonly damaged: readonly DamagedEntry[];
}

/** @throws BackupError, StoreAway */
export const shelfState = async (place: BackupPlace): Promise<ShelfState> => {
  const { backups, damaged } = await listBackups(place);
  const verified = backups.find(({ verifiedAt }) => verifiedAt !== null);
  return {
    newest: backups[0]?.name,
    verified: verified && { name: verified.name, at: verified.verifiedAt ?? "" },
    damaged,
  };
};
