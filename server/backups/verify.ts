import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openOrganization, operator } from "../change/organization.ts";
import type { Config } from "../config/config.ts";
import { withOwnDatabase } from "../db/backup/place.ts";
import { restore } from "../db/backup/restore.ts";
import { countTables, readingFile } from "../db/backup/sqlite-file.ts";
import { BackupError, DamagedBackup } from "../db/errors.ts";
import { type DatabaseConfig, isSqlite, keyFile } from "../db/place.ts";
import { verifyHistory } from "../history/verify.ts";
import { ignoring } from "../lib/durable.ts";
import { digestOfStream, filesOfBackup, type Manifest } from "./manifest.ts";
import { type BackupPlace, putText } from "./place.ts";
import { checkedFilmsOf, databaseOf, manifestOf } from "./shelf.ts";
import type { OnWork } from "./work.ts";

export interface VerifyOptions {
  /** True to restore into a SQLite file although the service is on PostgreSQL. */
  readonly sqlite: boolean;
  /** True to read every file of recordings. */
  readonly recordings: boolean;
  readonly onWork: OnWork;
}

/** The parts of a backup that are good. */
export interface VerifiedBackup {
  readonly manifest: Manifest;
  readonly verifiedAt: string;
  readonly tables: number;
  readonly rows: number;
  readonly organizations: number;
  /** Entries of all histories. */
  readonly entries: number;
  /** Files of recordings that were read; null: none were asked for. */
  readonly films: number | null;
  readonly scratch: "sqlite" | "postgres";
}

/**
 * Restores a backup into a scratch database, as a restore does it, and checks everything: digests,
 * the counts of all tables, the sealing key, and the chain of every history. Then notes the time
 * beside the backup; where the backup is damaged, removes an earlier note.
 *
 * @throws DamagedBackup with what is wrong; BackupError, SealError, StoreAway where it cannot be checked
 */
export const verifyBackup = async (
  config: Config,
  place: BackupPlace,
  name: string,
  { sqlite, recordings, onWork }: VerifyOptions,
): Promise<VerifiedBackup> => {
  const files = filesOfBackup(name);
  try {
    return await place.withDrafts(async (folder) => {
      const manifest = await manifestOf(place, name, await place.names());
      const { database } = manifest;
      if (recordings) refuseWithout(manifest);
      const secret = await keyOf(config);
      const path = await databaseOf(place, manifest, folder);
      const rows = await checkCounts(path, manifest);
      const history = await withScratch(
        config,
        sqlite,
        join(folder, "scratch"),
        async (scratch) => {
          const options = { force: false, yes: true, sendLetters: false, newKey: false };
          const onProgress = (done: number, of: number) => onWork("restoring", done, of, "rows");
          await restore({ ...scratch, secret }, path, { ...options, onProgress });
          return checkHistories(scratch);
        },
      );
      const films = recordings ? await checkFilms(place, manifest, onWork) : null;
      const verifiedAt = new Date().toISOString();
      const mark = JSON.stringify({ verifiedAt, recordings: films !== null });
      await putText(place, folder, files.mark, `${mark}\n`);
      const scratch = sqlite || isSqlite(config) ? "sqlite" : "postgres";
      const tables = Object.keys(database.rows).length;
      return { manifest, verifiedAt, tables, rows, ...history, films, scratch };
    });
  } catch (error) {
    if (error instanceof DamagedBackup) await place.remove(files.mark);
    throw error;
  }
};

/** @throws BackupError if the backup was made without recordings */
const refuseWithout = ({ name, recordings }: Manifest): void => {
  if (recordings !== null) return;
  throw new BackupError(
    `${name} has no recordings: they were not asked for when it was made. Verify it without --recordings.`,
  );
};

/** @returns how many rows there are in all tables @throws DamagedBackup if a table has another number */
const checkCounts = async (path: string, { database }: Manifest): Promise<number> => {
  const counts = await readingFile(path, async (_, db) => countTables(db));
  const found = new Map(counts.map(({ table, rows }) => [table, rows]));
  for (const [table, rows] of Object.entries(database.rows)) {
    if (found.get(table) === rows) continue;
    throw new DamagedBackup(
      `The table ${table} has ${found.get(table) ?? "no"} rows, not ${rows}.`,
    );
  }
  return counts.reduce((sum, { rows }) => sum + rows, 0);
};

/** The sealing key, which a scratch folder does not have. @throws BackupError if it is not there */
const keyOf = async ({ secret, dataDir }: Config): Promise<string> => {
  if (secret !== undefined) return secret;
  const path = keyFile(dataDir);
  const kept = await readFile(path, "utf8").catch(ignoring("ENOENT"));
  if (kept !== undefined) return kept.trim();
  throw new BackupError(
    `The check needs the sealing key of the backup: ${path}, or PARLEY_SECRET.`,
  );
};

const withScratch = async <T>(
  { databaseUrl }: Config,
  sqlite: boolean,
  dataDir: string,
  work: (scratch: DatabaseConfig) => Promise<T>,
): Promise<T> => {
  await mkdir(dataDir, { mode: 0o700 });
  if (sqlite || databaseUrl === undefined) return work({ databaseUrl: undefined, dataDir });
  const { withScratchDatabase } = await import("../db/postgres/scratch.ts");
  return withScratchDatabase(databaseUrl, (url) => work({ databaseUrl: url, dataDir }));
};

/** @throws DamagedBackup if a chain is broken */
const checkHistories = (scratch: DatabaseConfig) =>
  withOwnDatabase(scratch, async (database) => {
    const all = await database.read.selectFrom("organizations").select(["id", "name"]).execute();
    let entries = 0;
    for (const { id, name } of all) {
      const { broken, entries: some } = await verifyHistory(
        openOrganization(database, id, operator),
      );
      if (broken !== null) {
        throw new DamagedBackup(
          `The history of ${name} is broken at entry ${broken.number}: ${broken.what}.`,
        );
      }
      entries += some;
    }
    return { organizations: all.length, entries };
  });

/** @returns how many files were read @throws DamagedBackup */
const checkFilms = async (
  place: BackupPlace,
  manifest: Manifest,
  onWork: OnWork,
): Promise<number> => {
  const films = await checkedFilmsOf(place, manifest, await place.names());
  const size = films.reduce((sum, { bytes }) => sum + bytes, 0);
  const sizes = await place.films();
  let done = 0;
  for (const film of films) {
    const { file, bytes, sha256 } = film;
    if (sizes.get(file) !== bytes) {
      throw new DamagedBackup(
        `${file} is missing in ${place.shown}, or has another size; the next backup copies it again.`,
      );
    }
    const found = await digestOfStream(await place.read(file, bytes), (read) => {
      done += read;
      onWork("recordings", done, size, "bytes");
    });
    if (found !== sha256) {
      throw new DamagedBackup(
        `${file} is damaged: its SHA-256 is not that of the list. Remove it from ${place.shown}; the next backup copies it again.`,
      );
    }
  }
  return films.length;
};
