import { rm } from "node:fs/promises";
import type { Logger } from "pino";
import type { RecordingError } from "../../contract/recordings/record.ts";
import { now } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { ignoringAbsence } from "../lib/durable.ts";
import { meter } from "../lib/measured.ts";
import { traced } from "../lib/traced.ts";
import { sizesOf } from "../meetings/captures/recording-plan.ts";
import { publishRecording } from "../meetings/captures/recording-rules.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { completeRecording, type Finished, finishRecording, hasSegments } from "./finish.ts";
import { recordingPath } from "./folder.ts";
import { openFolder } from "./folder-store.ts";
import type { Hold } from "./hold.ts";

/** The parts of the service that make the files of recordings. */
export interface SettleParts {
  readonly dataDir: string;
  /** The bytes that stay free on the disk. */
  readonly leastFree: number;
  /** The current ffmpeg; undefined if there is none. */
  readonly ffmpeg: () => Ffmpeg | undefined;
  /** Aborted when the process stops: ends the work on files. */
  readonly stopping: AbortSignal;
  readonly hold: Hold;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** The folder of a recording's files on this machine. */
export const folderOf = (dataDir: string, row: RecordingRow): string =>
  openFolder(dataDir).path(recordingPath(row));

/** Removes the files of a recording from this machine. */
export const removeFiles = async (dataDir: string, row: RecordingRow): Promise<void> => {
  await rm(folderOf(dataDir, row), { recursive: true, force: true }).catch(ignoringAbsence);
};

const filled = ({ format, seconds, files }: Finished) => ({
  format,
  seconds,
  files: JSON.stringify(files),
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Runs a step of a recording in a span. */
export const step = <T>(
  name: "start" | "finish" | "sizes" | "upload",
  { id, organization_id, meeting_id }: Pick<RecordingRow, "id" | "organization_id" | "meeting_id">,
  work: () => Promise<T>,
): Promise<T> => {
  const attributes = {
    "parley.organization.id": organization_id,
    "parley.meeting.id": meeting_id,
    "parley.recording.id": id,
  };
  return traced(`recording ${name}`, { attributes }, work);
};

/** The values of a row that no process holds. */
const free = { process: null, lease_until: null } as const;

/** Turns an ended recording into files that play, however it ended. */
export interface Settler {
  /**
   * Finishes a recording that this process holds: an ended one (`ending`) becomes `ready` or
   * `failed`; a `ready` one gets its missing sizes.
   *
   * @param error why it ended early; null if it ended as intended
   */
  settle(row: RecordingRow, error: RecordingError | null): Promise<void>;
  /** Removes the files of a recording if its row is gone, as after the deletion of its room. */
  discard(row: RecordingRow): Promise<void>;
}

export const openSettler = (parts: SettleParts): Settler => {
  const { dataDir, leastFree, ffmpeg, stopping, hold, log } = parts;
  /** The work on smaller sizes, one recording at a time: resolves after the last one. */
  let completing: Promise<unknown> = Promise.resolve();

  const makeReady = async (
    row: RecordingRow,
    error: RecordingError | null,
  ): Promise<RecordingRow | undefined> => {
    const folder = folderOf(dataDir, row);
    const recorded = { folder, format: row.format, sizes: sizesOf(row) };
    const onTrouble = (err: unknown): void => {
      stopping.throwIfAborted();
      log.warn(
        { err, recordingId: row.id },
        "no mp4 could be made of a recording: it plays as hls",
      );
    };
    // One that never began is skipped: its disk may not answer.
    const finished =
      error === "capture_failed"
        ? undefined
        : await step("finish", row, () =>
            finishRecording(ffmpeg(), recorded, leastFree, onTrouble),
          );
    if (finished === undefined) {
      const why = error === "capture_failed" || error === "disk_full" ? error : "not_begun";
      const failed = { state: "failed", error: why, ended_at: row.ended_at ?? now() } as const;
      const saved = await hold.set(
        row,
        { ...failed, ...free },
        { also: async (change, one) => publishRecording(change, "recordingFailed", one) },
      );
      if (saved && !(await hasSegments(folder))) await removeFiles(dataDir, row);
      return saved;
    }
    const began = row.started_at ?? row.requested_at;
    const ended = new Date(Date.parse(began) + finished.seconds * 1000).toISOString();
    const ready = { state: "ready", error, started_at: began } as const;
    return hold.set(
      row,
      { ...filled(finished), ...ready, ended_at: row.ended_at ?? ended },
      { also: async (change, one) => publishRecording(change, "recordingReady", one) },
    );
  };

  const complete = async (row: RecordingRow): Promise<void> => {
    const recorded = { folder: folderOf(dataDir, row), format: row.format, sizes: sizesOf(row) };
    const onTrouble = (err: unknown): void => {
      stopping.throwIfAborted();
      log.warn({ err, recordingId: row.id }, "a smaller size of a recording could not be made");
    };
    const made = await step("sizes", row, () =>
      completeRecording(ffmpeg(), recorded, leastFree, row.seconds ?? 0, onTrouble),
    );
    const resolutions = JSON.stringify(made.sizes);
    await hold.set(row, { ...filled(made), ...free, resolutions, complete: true });
  };

  const discard = async (row: RecordingRow): Promise<void> => {
    if ((await hold.find(row.id)) !== undefined) return;
    await removeFiles(dataDir, row);
  };

  return {
    discard,
    async settle(row, error) {
      const ready = row.state === "ready" ? row : await makeReady(row, error);
      if (row.state !== "ready" && ready) meter("recording", ready.error ?? ready.state);
      if (ready?.state === "ready") {
        const made = completing.then(() => complete(ready));
        completing = made.catch(() => {});
        await made;
      }
      await discard(row);
    },
  };
};
