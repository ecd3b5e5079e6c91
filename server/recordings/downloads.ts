import { createWriteStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { findFfmpeg } from "../capture/programs.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { ignoring } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { markOf, STILL_MS, Watchdog } from "../lib/watch.ts";
import { type Size, sizesOf } from "../meetings/captures/recording-plan.ts";
import { openFfmpeg } from "./ffmpeg.ts";
import type { RecordedFile } from "./finish.ts";
import { makeMp4, PLAYLIST } from "./finish.ts";
import { downloadOf, hasRoomFor, MAKING, mp4Of, recordingPath, sizeName } from "./folder.ts";
import {
  eraseIfGone,
  type FileWorker,
  keepLease,
  releaseRecording,
  takeStored,
  whileKept,
} from "./lease.ts";
import { FileMissing, StoreAway } from "./store.ts";
import { type Stores, storeOf } from "./stores.ts";
import { filesOf } from "./viewing.ts";

export interface DownloadParts {
  readonly database: Pick<Database, "change" | "read">;
  readonly stores: Stores;
  readonly processId: string;
  readonly config: Pick<Config, "capture" | "recording">;
  readonly log: Pick<Logger, "warn">;
}

interface Making {
  failed?: { readonly error: unknown; readonly at: number };
}

/** How long a failure is answered. Waiting clients ask every second or two. */
const WAITING_MS = 10_000;

/** A requested file, and the NAME of its source (folder.ts). */
interface Wanted {
  readonly file: string;
  readonly from: string;
}

const wantedOf = (row: RecordingRow, size: Size | undefined): Wanted => {
  const sizes = sizesOf(row);
  if (size !== undefined && !sizes.includes(size)) refuse("recording_size_missing");
  const [largest] = sizes;
  const from = sizeName(size ?? largest);
  return { from, file: row.format === "mp4" ? mp4Of(from) : downloadOf(from, sizeName(largest)) };
};

/** Removes what dead processes left of files that they were making; logs what it cannot remove. */
export const removeLeftDownloads = async (
  { read }: Pick<Database, "read">,
  { folder }: Stores,
  log: Pick<Logger, "warn">,
): Promise<void> => {
  const names = (await readdir(folder.path(MAKING)).catch(ignoring("ENOENT"))) ?? [];
  if (names.length === 0) return;
  // Read after the folders were listed: a process is in the table before it makes a folder.
  const rows = await read.selectFrom("processes").select("id").execute();
  const living = new Set(rows.map(({ id }) => id));
  for (const name of names) {
    if (living.has(name)) continue;
    await folder.erase(`${MAKING}/${name}`).catch((err: unknown) => {
      log.warn({ err }, "what is left of a file for downloads is not removed yet");
    });
  }
};

const has = (row: RecordingRow, file: string): boolean =>
  filesOf(row).some(({ name }) => name === file);

const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  return new Refusal(
    error instanceof FileMissing ? "recording_files_missing" : "recordings_unavailable",
  );
};

/** Makes one file of a recording, for downloads: one at a time, with the lowest priority. */
export class Downloads {
  readonly #parts: DownloadParts;
  readonly #worker: FileWorker;
  readonly #ending = new AbortController();
  /** The files that are being made, or could not be made, by recording and file. */
  readonly #making = new Map<string, Making>();
  #last = Promise.resolve();

  constructor(parts: DownloadParts) {
    const { database, processId, stores } = parts;
    this.#parts = parts;
    this.#worker = { database, processId, stores, signal: this.#ending.signal };
  }

  /**
   * A ready recording's file; undefined while it is being made. The first call starts that. It is
   * made once, and is then one of the recording's files.
   *
   * @param size one of the recording's sizes; by default the largest
   * @throws Refusal `recording_size_missing`, `recording_files_missing`; `disk_full`,
   * `recorder_missing`, `recordings_unavailable` if it could not be made: the next call tries again
   */
  fileOf(row: RecordingRow, size?: Size): RecordedFile | undefined {
    const wanted = wantedOf(row, size);
    const found = filesOf(row).find(({ name }) => name === wanted.file);
    if (found !== undefined) return found;
    if (row.format === "mp4" || !has(row, `${wanted.from}/${PLAYLIST}`)) {
      // Undefined while its smaller sizes are being made.
      return row.complete ? refuse("recording_files_missing") : undefined;
    }
    const key = `${row.id}/${wanted.file}`;
    const entry = this.#making.get(key);
    const failed = entry?.failed;
    if (failed !== undefined) this.#making.delete(key);
    if (failed && performance.now() - failed.at < WAITING_MS) throw refusalOf(failed.error);
    if (entry === undefined || failed !== undefined) this.#begin(key, row, wanted);
    return undefined;
  }

  /** Stops, and gives up files that are being made. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#last;
  }

  /** Makes a file after the ones before it. */
  #begin(key: string, row: RecordingRow, wanted: Wanted): void {
    const entry: Making = {};
    this.#making.set(key, entry);
    this.#last = this.#last.then(async () => {
      if (this.#ending.signal.aborted) return;
      try {
        await this.#make(row, wanted);
        this.#making.delete(key);
      } catch (error) {
        if (this.#ending.signal.aborted) return;
        // Deleted or moved meanwhile: the next call finds out.
        if (!(await this.#isThere(row))) return void this.#making.delete(key);
        entry.failed = { error, at: performance.now() };
        const { log } = this.#parts;
        log.warn({ err: error, recordingId: row.id }, "a recording is not made one file");
      }
    });
  }

  async #make(asked: RecordingRow, wanted: Wanted): Promise<void> {
    const { stores, processId } = this.#parts;
    const worker = this.#worker;
    const isStored = asked.store === "s3";
    const row = await (isStored ? takeStored(worker, asked) : this.#find(asked));
    // Gone, moved, or held by another process that makes a file of it: the next call finds out.
    if (row === undefined) return;
    // A folder per process: `removeLeftDownloads` removes those of dead ones.
    const folder = `${MAKING}/${processId}/${row.id}`;
    try {
      if (has(row, wanted.file)) return;
      await makeFolder(stores.folder.path(folder));
      await whileKept(
        worker,
        // The store needs a lease; here no other process can take it.
        () => (isStored ? keepLease(worker, row) : this.#isThere(row)),
        (signal) => this.#makeIn(stores.folder.path(folder), row, wanted, signal),
      );
    } finally {
      await stores.folder.erase(folder);
      if (isStored) {
        await releaseRecording(worker, row);
        await eraseIfGone(worker, row);
      }
    }
  }

  /** Makes the file in a folder of its own, and puts it beside the recording's other files. */
  async #makeIn(
    folder: string,
    row: RecordingRow,
    { from, file }: Wanted,
    signal: AbortSignal,
  ): Promise<void> {
    const { stores, config } = this.#parts;
    const isStored = row.store === "s3";
    const parts = filesOf(row).filter(({ name }) => name.startsWith(`${from}/`));
    // Files in the store are fetched first.
    const needed = parts.reduce((sum, { bytes }) => sum + bytes, 0) * (isStored ? 2 : 1);
    if (!(await hasRoomFor(needed, folder, config.recording.leastFree))) refuse("disk_full");
    const program = findFfmpeg(config.capture) ?? refuse("recorder_missing");
    if (isStored) await this.#fetchInto(row, parts, folder, signal);
    const source = isStored ? folder : stores.folder.path(recordingPath(row));
    const draft = join(folder, file);
    const copy = ["-c", "copy"];
    await makeMp4(openFfmpeg(program, signal), join(source, from, PLAYLIST), draft, copy);
    const { size: bytes } = await stat(draft);
    const path = `${recordingPath(row)}/${file}`;
    if (isStored) await (await stores.s3?.())?.put(path, draft, bytes, signal);
    else await rename(draft, stores.folder.path(path));
    if (!(await this.#list(row, { name: file, bytes })) && !isStored) {
      await rm(stores.folder.path(path), { force: true });
    }
  }

  /** Copies the file's sources from the store into a local folder. */
  async #fetchInto(
    row: RecordingRow,
    parts: readonly RecordedFile[],
    folder: string,
    signal: AbortSignal,
  ): Promise<void> {
    const store = await storeOf(this.#parts.stores, "s3");
    for (const { name, bytes } of parts) {
      const target = join(folder, name);
      await makeFolder(dirname(target));
      const source = await store.read(`${recordingPath(row)}/${name}`, bytes);
      const watch = new Watchdog({
        stillMs: STILL_MS.store,
        sign: () => markOf(target),
        onStill: () => source.destroy(new StoreAway("it answers no further")),
      });
      await pipeline(source, createWriteStream(target, { mode: 0o600 }), { signal }).finally(() =>
        watch.stop(),
      );
    }
  }

  /** Adds the file to the row. @returns false if the row is gone, or its files have moved */
  async #list(row: RecordingRow, file: RecordedFile): Promise<boolean> {
    for (;;) {
      const current = await this.#find(row);
      if (current?.files == null) return false;
      if (has(current, file.name)) return true;
      const { id, store, files, bytes } = current;
      const listed = await this.#parts.database.change((tx) =>
        tx
          .updateTable("recordings")
          .set({
            files: JSON.stringify([...filesOf(current), file]),
            bytes: (bytes ?? 0) + file.bytes,
          })
          .where("id", "=", id)
          .where("files", "=", files)
          .where("store", "=", store)
          .returning("id")
          .executeTakeFirst(),
      );
      if (listed !== undefined) return true;
    }
  }

  /** The current row; undefined if it is gone or its files have moved. */
  #find({ id, store }: RecordingRow): Promise<RecordingRow | undefined> {
    return this.#parts.database.read
      .selectFrom("recordings")
      .selectAll()
      .where("id", "=", id)
      .where("store", "=", store)
      .executeTakeFirst();
  }

  /** Returns whether the row exists, as far as is known: an unavailable database changes nothing. */
  #isThere(row: RecordingRow): Promise<boolean> {
    return this.#find(row).then(
      (found) => found !== undefined,
      () => true,
    );
  }
}
