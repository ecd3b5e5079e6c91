import type { Logger } from "pino";
import { isUnavailable } from "../db/errors.ts";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { startLooks } from "../lib/looks.ts";
import { removeLeftDownloads } from "./downloads.ts";
import { eraseDue, eraseElsewhere, forgetErased } from "./erase.ts";
import type { FileWorker } from "./lease.ts";
import { removeOldRecordings } from "./retention.ts";
import { step } from "./settle.ts";
import { FileUnreadable, StoreAway } from "./store.ts";
import type { Stores } from "./stores.ts";
import { claimUpload, findInStore, isHere, postponeUpload, upload } from "./upload.ts";

/** Looks after ended recordings: moves them to the store, erases deleted ones. */
export interface Keeper {
  /** Looks for work now. Never throws. */
  wake(): void;
  /** Looks at once for recordings that are older than their organization keeps them. */
  wakeForDays(): void;
  /** Stops soon; the next start repeats unfinished work. */
  stop(): Promise<void>;
}

export interface KeeperParts {
  readonly database: Database;
  readonly stores: Stores;
  readonly processId: string;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** How often it looks by itself, because leases of dead processes run out. */
const LOOK_MS = 5_000;
/** The pause before an absent store is retried: it doubles, up to the longest. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;
/** The pause before missing files of a recording are looked for again. */
const ELSEWHERE_MS = 60_000;

/**
 * Starts keeping recordings, and finishes what an earlier run left. Any number of processes may run
 * one.
 */
export const startKeeper = ({ database, stores, processId, log }: KeeperParts): Keeper => {
  const ending = new AbortController();
  const { signal } = ending;
  const worker: FileWorker = { database, processId, stores, signal };
  let failures = 0;
  let closedUntil = 0;
  let nextDays = 0;
  /** Other processes' erasures have been carried out here up to this time. */
  let erasedTo = "";

  const keepAll = async (): Promise<void> => {
    if (performance.now() >= nextDays) {
      // Set before the look, so that `wakeForDays` during the look causes another one.
      nextDays = performance.now() + HOUR_MS;
      await removeOldRecordings(database, signal);
      await forgetErased(database);
      erasedTo = "";
    }
    await removeLeftDownloads(database, stores, log);
    await eraseDue(database, stores, log, signal);
    erasedTo = await eraseElsewhere(database, stores.folder, log, erasedTo);
    await uploadAll();
  };

  /**
   * Logs once when the store goes or returns, and makes retries less frequent.
   *
   * @returns the pause
   */
  const report = (error: unknown): number => {
    if (error === undefined) {
      if (failures > 0) log.info({}, "the store of recordings is back");
      failures = 0;
      return 0;
    }
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
    if (failures === 0) log.warn({ error: String(error) }, "a recording is not in the store yet");
    failures += 1;
    closedUntil = performance.now() + wait;
    return wait;
  };

  /**
   * The pause of a recording whose upload failed; unless its own files are to blame, all others
   * wait too.
   */
  const waitAfter = (error: unknown, { id }: RecordingRow): number => {
    if (!(error instanceof FileUnreadable)) return report(error);
    log.warn({ recording: id, error: error.message }, "a file of a recording cannot be read");
    return LONGEST_WAIT_MS;
  };

  const uploadAll = async (): Promise<void> => {
    while (stores.s3 !== undefined && !signal.aborted && performance.now() >= closedUntil) {
      const row = await claimUpload(worker);
      if (row === undefined) return;
      const from = performance.now();
      try {
        if (await isHere(stores, row)) await step("upload", row, () => upload(worker, row));
        else if (!(await findInStore(worker, row))) {
          log.warn({ recording: row.id }, "the files of a recording are not on this machine");
          await postponeUpload(worker, row, ELSEWHERE_MS);
        }
        report(undefined);
        await eraseDue(database, stores, log, signal);
      } catch (error) {
        // When stopping, the recording is free at once for the next process; so is one whose lease
        // was lost.
        const isGivenUp = signal.aborted || (error as Error).name === "AbortError";
        const wait = isGivenUp ? 0 : waitAfter(error, row);
        await postponeUpload(worker, row, wait);
        const isKnown = error instanceof StoreAway || error instanceof FileUnreadable;
        if (!isKnown && !isGivenUp) throw error;
      }
      await rest(performance.now() - from);
    }
  };

  const looks = startLooks({
    everyMs: LOOK_MS,
    look: keepAll,
    onError: (err) => {
      if (!isUnavailable(err)) log.warn({ err }, "recordings are looked after later");
    },
  });
  return {
    wake: looks.wake,
    wakeForDays() {
      nextDays = 0;
      looks.wake();
    },
    async stop() {
      ending.abort();
      await looks.stop();
    },
  };
};
