import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Captures } from "../capture/captures.ts";
import { findChromium, findFfmpeg } from "../capture/programs.ts";
import type { Config } from "../config/config.ts";
import { type Database, isOnlyService } from "../db/open.ts";
import { makeFolder } from "../lib/folders.ts";
import type { CaptureQueue } from "../meetings/captures/queue.ts";
import { problemOf } from "../meetings/captures/recording-plan.ts";
import { roomOf } from "../records/rooms.ts";
import { openFfmpeg } from "./ffmpeg.ts";
import { freeSpace, recordingsFolder } from "./folder.ts";
import { MAKING_LEASE_MS, openHold } from "./hold.ts";
import { type Making, makeRecording } from "./make.ts";
import { openSettler } from "./settle.ts";
import { openSweep } from "./sweep.ts";

/*
 * Every process takes waiting recordings, up to its number of recorders, makes and finishes them.
 * It also finishes recordings of dead processes whose files are on this machine. The rows say what
 * to do: no message has to reach this process.
 */

const LOOK_MS = 500;
const RENEW_MS = 5_000;
/** How long a stopping process works on its recordings' files. */
const LAST_MS = 10_000;

export interface RecorderOptions {
  readonly processId: string;
  readonly captures: Pick<Captures, "start">;
  readonly queue: CaptureQueue;
  /** True if the service has the page that captures meetings. */
  readonly hasPage: boolean;
  readonly config: Pick<Config, "dataDir" | "recording" | "capture">;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** The recordings of this process. */
export interface Recorder {
  /**
   * Ends the running recordings, so that they play, and lets another process continue them. The
   * next start finishes files that are not finished in time.
   */
  stop(): Promise<void>;
}

/**
 * Starts recording. Resolves when the other processes know how many recordings this one can make.
 */
export const startRecorder = async (
  database: Database,
  { processId, captures, queue, hasPage, config, log }: RecorderOptions,
): Promise<Recorder> => {
  const { dataDir, recording, capture } = config;
  const { leastFree } = recording;
  // The work must not inherit its caller's context.
  const apart = AsyncLocalStorage.snapshot();
  const stopping = new AbortController();
  const hold = openHold(database, processId);
  const ffmpeg = () => {
    const program = findFfmpeg(capture);
    return program === undefined ? undefined : openFfmpeg(program, stopping.signal);
  };
  const settler = openSettler({ dataDir, leastFree, ffmpeg, stopping: stopping.signal, hold, log });
  /** Recordings that are made, or whose files are being finished. */
  const working = new Map<string, Promise<void>>();
  const sweep = openSweep(database, { dataDir, hold, settler, working, log });
  const makings = new Map<string, Making>();
  let isStopping = false;

  /** How many recordings this process can make at once. Programs may appear or vanish meanwhile. */
  const countRecorders = (): number => {
    const isThere = hasPage && findChromium(capture) && findFfmpeg(capture);
    return isThere && !isStopping ? recording.recorders : 0;
  };

  /** Tells the other processes how many recordings this one can and should make. */
  const tellRecorders = (): Promise<void> =>
    database.change(async (tx) => {
      const row = { recorders: countRecorders(), records: recording.recorders > 0 };
      await tx.updateTable("processes").set(row).where("id", "=", processId).execute();
    });

  /** Ends the recordings that must end according to their rows and rooms. */
  const follow = async (): Promise<void> => {
    if (makings.size === 0) return;
    const rows = await database.read
      .selectFrom("recordings")
      .innerJoin("rooms", "rooms.id", "recordings.room_id")
      .select(["recordings.id", "recordings.process", "recordings.stop_asked"])
      .select(["rooms.record", "rooms.extras", "rooms.deleted_at"])
      .where("recordings.id", "in", [...makings.keys()])
      .execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const [id, making] of makings) {
      const row = known.get(id);
      const goesOn =
        row !== undefined &&
        row.process === processId &&
        !row.stop_asked &&
        row.deleted_at === null &&
        problemOf(roomOf(row)) !== "recording_off";
      if (!goesOn) making.end(null);
    }
  };

  const checkSpace = async (): Promise<void> => {
    if (makings.size === 0 || (await freeSpace(recordingsFolder(dataDir))) >= leastFree) return;
    for (const { end } of makings.values()) end("disk_full");
  };

  const takeNext = async (): Promise<void> => {
    while (countRecorders() > 0) {
      const turn = await queue.take("recording");
      if (turn === undefined) return;
      const row = await hold.takeQueued(turn).catch((error: unknown) => {
        turn.leave();
        throw error;
      });
      if (row === undefined) return turn.leave();
      const making = makeRecording({ dataDir, leastFree, captures, hold, settler, log }, row);
      makings.set(row.id, making);
      void making.recorded.finally(() => {
        makings.delete(row.id);
        turn.leave();
      });
      working.set(row.id, making.done);
      void making.done.finally(() => working.delete(row.id));
      await queue.moveUp();
    }
  };

  let renewed = 0;
  /**
   * Timely renewals in a row: right after an outage of the database, or when all processes stood
   * still, all leases are old.
   */
  let steady = 0;
  const look = async (): Promise<void> => {
    const current = performance.now();
    if (current - renewed >= RENEW_MS) {
      // Before writing to the database, which a full disk may prevent.
      await checkSpace().catch((err: unknown) => log.warn({ err }, "free space is not known"));
      steady = current - renewed < MAKING_LEASE_MS ? steady + 1 : 0;
      await Promise.all([hold.renew([...working.keys()]), tellRecorders()]);
      renewed = current;
    }
    await follow();
    await takeNext();
    if (isOnlyService(database) || steady > MAKING_LEASE_MS / RENEW_MS) await sweep.look();
  };

  await makeFolder(recordingsFolder(dataDir));
  await sweep.takeOver();
  await tellRecorders();

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= apart(look)
      .catch((err: unknown) => {
        steady = 0;
        log.warn({ err }, "recordings are looked at later");
      })
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_MS).unref();

  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await looking;
      await tellRecorders().catch(() => {});
      for (const { end } of makings.values()) end("interrupted");
      await Promise.all([...makings.values()].map(({ recorded }) => recorded));
      const enough = new AbortController();
      const late = sleep(LAST_MS, undefined, { signal: enough.signal }).catch(() => {});
      await Promise.race([Promise.all(working.values()), late]);
      enough.abort();
      stopping.abort();
      await Promise.all(working.values());
      // If that fails, the leases run out.
      await hold.release().catch((err: unknown) => {
        log.warn({ err }, "the recordings of this process are finished later");
      });
    },
  };
};
