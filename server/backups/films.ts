import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Kysely } from "kysely";
import type { Config } from "../config/config.ts";
import { readingFile } from "../db/backup/sqlite-file.ts";
import { DamagedBackup } from "../db/errors.ts";
import { openDatabase } from "../db/open.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { Tables } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { recordingPath } from "../recordings/folder.ts";
import { FileMissing } from "../recordings/store.ts";
import { openStores, type Stores, storeOf } from "../recordings/stores.ts";
import { filesOf } from "../recordings/viewing.ts";
import { FILMS, filesOfBackup, type ListedFile, type Manifest } from "./manifest.ts";
import { type BackupPlace, putText } from "./place.ts";
import { checkedFilmsOf, manifestOf, wholeBackups } from "./shelf.ts";
import type { OnWork } from "./work.ts";

/** A file of a recording, and where the service keeps it. */
export interface FilmFile {
  readonly recording: string;
  readonly store: RecordingRow["store"];
  /** Relative to all recordings. */
  readonly path: string;
  readonly bytes: number;
}

/** Rows per query. */
const PIECE = 500;

/** The files of all recordings that a database knows. */
export const filmsIn = async (db: Kysely<Tables>): Promise<FilmFile[]> => {
  const found: FilmFile[] = [];
  for (let last = ""; ; ) {
    const rows = await db
      .selectFrom("recordings")
      .select(["id", "organization_id", "room_id", "files", "store"])
      .where("id", ">", last)
      .where("state", "=", "ready")
      .orderBy("id")
      .limit(PIECE)
      .execute();
    for (const row of rows) {
      const { id: recording, store } = row;
      for (const { name, bytes } of filesOf(row)) {
        found.push({ recording, store, path: `${recordingPath(row)}/${name}`, bytes });
      }
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PIECE) return found;
  }
};

/** The line of a list for each file. */
const listText = (files: readonly ListedFile[]): string =>
  files.map((one) => `${JSON.stringify(one)}\n`).join("");

interface FilmsWork {
  readonly config: Config;
  readonly place: BackupPlace;
  /** The folder for drafts. */
  readonly folder: string;
  readonly name: string;
  /** The backup of the database, which says what recordings there are. */
  readonly database: string;
  readonly onWork: OnWork;
}

/**
 * Copies the files of recordings that the place does not have yet: a file is known by its path and
 * size, and never changes once its recording is ready.
 *
 * @returns the part of the manifest, and how many bytes were copied
 * @throws BackupError, StoreAway
 */
export const backUpFilms = async ({
  config,
  place,
  folder,
  name,
  database,
  onWork,
}: FilmsWork): Promise<{ part: NonNullable<Manifest["recordings"]>; copied: number }> => {
  const wanted = await readingFile(database, (db) => filmsIn(db as unknown as Kysely<Tables>));
  const { films } = filesOfBackup(name);
  // First: what is listed without a manifest is removed if this process is killed, and not before.
  const plan = wanted.map(({ path, bytes }) => ({ file: FILMS + path, bytes, sha256: "" }));
  await putText(place, folder, films, listText(plan));
  const known = await knownFilms(place);
  const todo = wanted.filter(({ path, bytes }) => known.get(FILMS + path)?.bytes !== bytes);
  const all = todo.reduce((sum, { bytes }) => sum + bytes, 0);
  const stores = openStores(config);
  const away = new Set<string>();
  const added = new Map<string, ListedFile>();
  let [copied, done] = [0, 0];
  for (const film of todo) {
    const draft = join(folder, "film");
    const sha256 = await fetchFilm(stores, film, draft, (bytes) =>
      onWork("recordings", done + bytes, all, "bytes"),
    );
    done += film.bytes;
    onWork("recordings", done, all, "bytes");
    if (sha256 === undefined) {
      away.add(film.recording);
      continue;
    }
    const file = FILMS + film.path;
    await place.put(file, draft);
    added.set(file, { file, bytes: film.bytes, sha256 });
    copied += film.bytes;
  }
  const missing = await stillThere(config, away);
  const listed = wanted
    .filter(({ recording }) => !away.has(recording))
    .map(({ path }) => added.get(FILMS + path) ?? known.get(FILMS + path))
    .filter((one) => one !== undefined);
  const text = listText(listed);
  await putText(place, folder, films, text);
  const size = listed.reduce((sum, { bytes }) => sum + bytes, 0);
  const count = new Set(wanted.map(({ recording }) => recording)).size - away.size;
  const file = { file: films, bytes: Buffer.byteLength(text), sha256: digestOf(text) };
  return { part: { ...file, count, files: listed.length, size, missing }, copied };
};

/** The files that a backup lists; none if it is damaged: its digests would spread to the next backup. */
const trustedFilms = async (
  place: BackupPlace,
  name: string,
  sizes: ReadonlyMap<string, number>,
): Promise<ListedFile[]> => {
  try {
    return await checkedFilmsOf(place, await manifestOf(place, name, sizes), sizes);
  } catch (error) {
    if (error instanceof DamagedBackup) return [];
    throw error;
  }
};

/** The files that whole backups list and that are there with the listed size. */
const knownFilms = async (place: BackupPlace): Promise<Map<string, ListedFile>> => {
  const sizes = await place.names();
  const found = new Map<string, ListedFile>();
  const there = await place.films();
  for (const name of wholeBackups(sizes)) {
    for (const film of await trustedFilms(place, name, sizes)) {
      if (!found.has(film.file) && there.get(film.file) === film.bytes) found.set(film.file, film);
    }
  }
  return found;
};

/**
 * Copies a file of a recording to a draft. One that moved to the store meanwhile is read there.
 *
 * @returns its SHA-256; undefined if no place that this machine reaches has it
 */
const fetchFilm = async (
  stores: Stores,
  { store, path, bytes }: FilmFile,
  draft: string,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> => {
  const names = store === "folder" && stores.s3 ? (["folder", "s3"] as const) : [store];
  for (const name of names) {
    let source: Readable;
    try {
      source = await (await storeOf(stores, name)).read(path, bytes);
    } catch (error) {
      if (error instanceof FileMissing) continue;
      throw error;
    }
    const sum = createHash("sha256");
    let done = 0;
    await pipeline(
      source,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          sum.update(piece);
          done += piece.length;
          onBytes(done);
          yield piece;
        }
      },
      createWriteStream(draft, { mode: 0o600 }),
    );
    if ((await stat(draft)).size === bytes) return sum.digest("hex");
  }
  return undefined;
};

/** How many of these recordings the service still has: others were deleted during the backup. */
const stillThere = async (config: Config, ids: ReadonlySet<string>): Promise<number> => {
  if (ids.size === 0) return 0;
  const database = await openDatabase(config, { poolSize: 2 });
  try {
    const rows = await Promise.all(
      [...ids].map((id) =>
        database.read.selectFrom("recordings").select("id").where("id", "=", id).execute(),
      ),
    );
    return rows.flat().length;
  } finally {
    await database.close();
  }
};
