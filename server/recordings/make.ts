import { join } from "node:path";
import type { Logger } from "pino";
import type { RecordingError } from "../../contract/recordings/record.ts";
import type { Capture } from "../capture/capture.ts";
import type { Captures } from "../capture/captures.ts";
import { now } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { askDisk } from "../lib/disk.ts";
import { saysDiskFull } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";
import { pictures, sizesOf } from "../meetings/captures/recording-plan.ts";
import { publishRecording } from "../meetings/captures/recording-rules.ts";
import { continueRecording } from "./again.ts";
import { CAPTURE, freeSpace, recordingsFolder } from "./folder.ts";
import type { Hold } from "./hold.ts";
import { folderOf, removeFiles, type Settler, step } from "./settle.ts";

/** The parts of the service that make recordings. */
export interface MakeParts {
  readonly dataDir: string;
  /** The bytes that stay free on the disk. */
  readonly leastFree: number;
  readonly captures: Pick<Captures, "start">;
  readonly hold: Hold;
  readonly settler: Settler;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** A recording that is being made. */
export interface Making {
  /** Ends it at once, or as soon as it has begun. The first reason counts. */
  end(error: RecordingError | null): void;
  /** Resolves when it no longer records, so its recorder is free. Never rejects. */
  readonly recorded: Promise<void>;
  /** Resolves when the work on its files has ended here, successful or not. Never rejects. */
  readonly done: Promise<void>;
}

/** Changes folders of recordings, if their disk answers. */
const change = <T>(work: () => Promise<T>): Promise<T> => askDisk("folders of recordings", work);

/** Makes a recording that this process has taken (`starting`), until its files play. */
export const makeRecording = (parts: MakeParts, taken: RecordingRow): Making => {
  const { dataDir, leastFree, captures, hold, settler, log } = parts;
  const { id: recordingId, organization_id: organizationId, meeting_id: meetingId } = taken;
  let asked: { readonly error: RecordingError | null } | undefined;
  /** When its end was requested, or its meeting ended. */
  let overAt: number | undefined;
  let capture: Capture | undefined;

  const end: Making["end"] = (error) => {
    asked ??= { error };
    overAt ??= performance.now();
    void capture?.stop();
  };

  /** The reason that came first: an earlier one, or this one. */
  const reasonOr = (error: RecordingError): RecordingError | null => (asked ? asked.error : error);

  const isDiskFull = async (): Promise<boolean> =>
    (await freeSpace(recordingsFolder(dataDir))) < leastFree;

  /** @returns why it ended early; null if it ended as intended */
  const record = async (): Promise<RecordingError | null> => {
    const folder = join(folderOf(dataDir, taken), CAPTURE);
    const [largest] = sizesOf(taken);
    let begun: Capture;
    try {
      // Checked before anything is written.
      if (await isDiskFull()) return "disk_full";
      await change(() => makeFolder(folder));
      begun = await step("start", taken, () =>
        captures.start({
          organizationId,
          meetingId,
          purpose: "record",
          folder,
          picture: largest === undefined ? null : pictures[largest],
        }),
      );
    } catch (err) {
      const isOver = asked !== undefined || (await hold.find(recordingId))?.stop_asked !== false;
      if (isOver) return asked?.error ?? null;
      log.warn({ err, recordingId }, "a recording could not be begun");
      return saysDiskFull(err) ? "disk_full" : "capture_failed";
    }
    capture = begun;
    void begun.ending.then(() => {
      overAt ??= performance.now();
    });
    if (asked) void begun.stop();
    else {
      const active = { state: "active", started_at: now() } as const;
      try {
        const row = await hold.set(taken, active, {
          from: "starting",
          also: async (change, one) => publishRecording(change, "recordingStarted", one),
        });
        // Ended or deleted meanwhile, or lost to another process.
        if (row === undefined) void begun.stop();
        else log.info({ recordingId, meetingId }, "a meeting is recorded");
      } catch (err) {
        // Otherwise nobody would end the capture, and others may think that the recording is
        // active.
        await begun.stop();
        log.warn({ err, recordingId }, "a recording was interrupted");
        return reasonOr("interrupted");
      }
    }
    const ended = await begun.ended;
    if (asked?.error) return asked.error;
    if (ended.how !== "failed") return null;
    log.warn({ recordingId, code: ended.code }, "a recording was interrupted");
    // The disk may have become full or stuck between two checks.
    return (await isDiskFull().catch(() => false)) ? "disk_full" : "interrupted";
  };

  const recording = record();

  const make = async (): Promise<void> => {
    const error = await recording;
    if (error === "capture_failed") {
      // Another process may have taken it meanwhile and written what plays.
      const own = (await hold.find(recordingId))?.process === taken.process;
      // A stuck disk keeps an empty folder.
      if (own) await change(() => removeFiles(dataDir, taken)).catch(() => {});
      if (await hold.tryAgain(taken)) return;
    }
    // It ended when the recording did, not when its files are finished.
    const since = performance.now() - (overAt ?? performance.now());
    const ending = { state: "ending", ended_at: now(-since) } as const;
    const row = await hold.set(
      taken,
      { ...ending, error },
      error === "interrupted" ? { also: continueRecording } : {},
    );
    if (row === undefined) return settler.discard(taken);
    await settler.settle(row, error);
    log.info({ recordingId, meetingId, error }, "a recording has ended");
  };

  const done = make().catch(async (err: unknown) => {
    log.warn({ err, recordingId }, "a recording is finished later");
    await hold.postpone(taken).catch(() => {});
  });
  const recorded = recording.then(
    () => {},
    () => {},
  );
  return { end, recorded, done };
};
