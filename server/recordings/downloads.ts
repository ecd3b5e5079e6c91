import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { Database } from "../db/open.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { refuse } from "../refusal.ts";
import { recordingPath } from "./folder.ts";
import { remux } from "./remux.ts";
import { FileMissing } from "./store.ts";
import { type Stores, storeOf } from "./stores.ts";
import { filesOf, mainFile, type RecordedFile } from "./viewing.ts";

/** Recordings as one file. */
export interface Downloads {
  /**
   * The file of a recording that is ready; undefined while it is being made, which begins with the
   * first question. It is made once, and then one of the recording's files.
   *
   * @throws Refusal `recording_files_missing`, `recordings_unavailable` where it could not be made; the
   *   next question tries again
   */
  fileOf(row: RecordingRow): RecordedFile | undefined;
  /** Ends what is being made. */
  stop(): Promise<void>;
}

interface Making {
  error?: unknown;
}

const fileName = ({ type }: RecordingRow): string => `download.${type === "a" ? "m4a" : "mp4"}`;

/** The folder of the largest size, or of sound alone. */
const largest = (row: RecordingRow): string =>
  row.type === "a" ? "audio" : (JSON.parse(row.resolutions)[0] as string);

/** Opens the downloads of a service. One is made at a time, behind everything else. */
export const openDownloads = (
  database: Pick<Database, "change">,
  stores: Stores,
  log: Pick<Logger, "warn">,
): Downloads => {
  const making = new Map<string, Making>();
  const ending = new AbortController();
  let last = Promise.resolve();

  /** Brings what the file is made of into a folder of this machine. */
  const fetchInto = async (row: RecordingRow, folder: string): Promise<void> => {
    const store = await storeOf(stores, "s3");
    for (const { name } of filesOf(row)) {
      if (!name.startsWith(`${largest(row)}/`)) continue;
      const target = join(folder, name);
      await mkdir(dirname(target), { recursive: true });
      const { signal } = ending;
      await pipeline(
        await store.read(`${recordingPath(row)}/${name}`),
        createWriteStream(target, { mode: 0o600 }),
        { signal },
      );
    }
  };

  /** Lists the file in the row, unless the row has changed or gone meanwhile. */
  const list = async (row: RecordingRow, file: RecordedFile): Promise<boolean> =>
    database.change(async (tx) => {
      const listed = await tx
        .updateTable("recordings")
        .set({
          files: JSON.stringify([...filesOf(row), file]),
          bytes: (row.bytes ?? 0) + file.bytes,
        })
        .where("id", "=", row.id)
        .where("files", "=", row.files)
        .where("store", "=", row.store)
        .returning("id")
        .executeTakeFirst();
      return listed !== undefined;
    });

  const make = async (row: RecordingRow): Promise<void> => {
    const home = recordingPath(row);
    const name = fileName(row);
    // Its name is no ID: no recording, and nothing that is erased with one.
    const work = stores.folder.path(join("making", row.id));
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { recursive: true, mode: 0o700 });
    try {
      if (row.store === "s3") await fetchInto(row, work);
      const source = row.store === "s3" ? work : stores.folder.path(home);
      const draft = join(work, name);
      await remux(join(source, largest(row), "index.m3u8"), draft, ending.signal);
      const { size: bytes } = await stat(draft);
      const place = stores.folder.path(`${home}/${name}`);
      if (row.store === "folder") await rename(draft, place);
      else await (await stores.s3?.())?.put(`${home}/${name}`, draft, bytes, ending.signal);
      if (!(await list(row, { name, bytes })) && row.store === "folder") {
        await rm(place, { force: true });
      }
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  };

  const begin = (row: RecordingRow): void => {
    const entry: Making = {};
    making.set(row.id, entry);
    last = last.then(async () => {
      if (ending.signal.aborted) return;
      try {
        await make(row);
        making.delete(row.id);
      } catch (error) {
        entry.error = error;
        if (!ending.signal.aborted) log.warn({ err: error }, "a recording is not made one file");
      }
    });
  };

  return {
    fileOf(row) {
      const wanted = row.format === "mp4" ? mainFile(row) : fileName(row);
      const found = filesOf(row).find(({ name }) => name === wanted);
      if (found !== undefined) return found;
      if (row.format === "mp4") return refuse("recording_files_missing");
      const entry = making.get(row.id);
      if (entry === undefined) begin(row);
      else if (entry.error !== undefined) {
        making.delete(row.id);
        refuse(
          entry.error instanceof FileMissing ? "recording_files_missing" : "recordings_unavailable",
        );
      }
      return undefined;
    },
    async stop() {
      ending.abort();
      await last;
    },
  };
};
