import type { Logger } from "pino";
import type { RecordingError } from "../../contract/recordings/record.ts";
import { openOrganization, service } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { type Database, isOnlyService } from "../db/open.ts";
import type { RecordingRow, RecordingUpdate } from "../db/recording-tables.ts";
import { askDisk } from "../lib/disk.ts";
import { exists } from "../lib/durable.ts";
import { publishRecording } from "../meetings/captures/recording-rules.ts";
import { continueRecording } from "./again.ts";
import type { Hold } from "./hold.ts";
import { folderOf, type Settler } from "./settle.ts";

/*
 * Finishes the recordings of dead processes: those whose lease has run out and whose folder is
 * here. A recording whose folder is on no machine becomes `failed` instead of staying `active`
 * forever; if its machine returns, it plays after all.
 */

/** How long other machines wait for a process with the folder. */
const GRACE_MS = 30_000;
/** How often missing folders are looked for again. */
const AGAIN_MS = 60_000;
const PIECE = 50;

export interface RecordingSweepOptions {
  readonly dataDir: string;
  readonly hold: Hold;
  readonly settler: Settler;
  /**
   * The recordings that this process makes or finishes, by ID; the sweep adds its own. It takes
   * none of them, even if their leases ran out, as after a pause of the process.
   */
  readonly working: Map<string, Promise<void>>;
  readonly log: Pick<Logger, "info" | "warn">;
}

export interface RecordingSweep {
  /** If this is the only service: ends its predecessor's leases. */
  takeOver(): Promise<void>;
  look(): Promise<void>;
}

/** The new values of an abandoned row: it has ended, and another recording may begin. */
const interrupted = (row: RecordingRow): RecordingUpdate =>
  row.state === "starting" || row.state === "active"
    ? { state: "ending", error: row.stop_asked ? null : "interrupted" }
    : {};

export const openSweep = (
  database: Database,
  { dataDir, hold, settler, working, log }: RecordingSweepOptions,
): RecordingSweep => {
  const isAlone = isOnlyService(database);

  const isHere = (row: RecordingRow): Promise<boolean> =>
    exists(folderOf(dataDir, row)).catch(() => true);

  const wasLiving = ({ state }: RecordingRow): boolean =>
    state === "starting" || state === "active";

  /** Finishes a recording whose folder is here. */
  const finish = async (lost: RecordingRow): Promise<void> => {
    const row = await hold.takeLost(lost);
    if (row === undefined) return;
    log.info({ recordingId: row.id, state: row.state }, "a recording that was left is finished");
    const ended = wasLiving(row)
      ? await hold.set(row, interrupted(row), { also: continueRecording })
      : row;
    if (ended) await settler.settle(ended, ended.error as RecordingError | null);
  };

  const finishApart = (row: RecordingRow): void => {
    const done = finish(row).catch(async (err: unknown) => {
      log.warn({ err, recordingId: row.id }, "a recording is finished later");
      await hold.postpone(row).catch(() => {});
    });
    working.set(row.id, done);
    void done.finally(() => working.delete(row.id));
  };

  /** Gives up a recording whose folder is on no running machine. */
  const giveUp = (row: RecordingRow): Promise<void> =>
    openOrganization(database, row.organization_id, service).change(async (change) => {
      // A `ready` recording plays without its missing smaller sizes, which are retried later.
      const isReady = row.state === "ready";
      const error = row.state === "starting" && isAlone ? "not_begun" : "unreachable";
      const failed = { state: "failed", error, ended_at: now(), lease_until: null } as const;
      const given = await change.tx
        .updateTable("recordings")
        .set({ process: null, ...(isReady ? { lease_until: now(AGAIN_MS) } : failed) })
        .where("id", "=", row.id)
        .where("lease_until", "<=", now(isAlone ? 0 : -GRACE_MS))
        .returningAll()
        .executeTakeFirst();
      if (given === undefined) return;
      log.warn({ recordingId: row.id, error }, "a recording has no folder on this machine");
      if (!isReady) publishRecording(change, "recordingFailed", given);
      if (wasLiving(row)) await continueRecording(change, row);
      change.announce(row.meeting_id);
    });

  /** Takes back given-up recordings whose folder is here after all. */
  const takeBack = async (): Promise<void> => {
    for (let last = ""; ; ) {
      const rows = await database.read
        .selectFrom("recordings")
        .selectAll()
        .where("error", "=", "unreachable")
        .where("state", "=", "failed")
        .where("id", ">", last)
        .orderBy("id")
        .limit(PIECE)
        .execute();
      for (const row of rows) {
        if (!(await exists(folderOf(dataDir, row)).catch(() => false))) continue;
        await openOrganization(database, row.organization_id, service).change(({ tx }) =>
          tx
            .updateTable("recordings")
            .set({ state: "ending", error: "interrupted", ended_at: null, lease_until: now() })
            .where("id", "=", row.id)
            .where("state", "=", "failed")
            .execute(),
        );
      }
      last = rows.at(-1)?.id ?? last;
      if (rows.length < PIECE) return;
    }
  };

  let tookBack = Number.NEGATIVE_INFINITY;
  return {
    async takeOver() {
      if (!isAlone) return;
      await database.change(async (tx) => {
        await tx
          .updateTable("recordings")
          .set({ lease_until: now() })
          .where("lease_until", "is not", null)
          .where("complete", "=", false)
          .execute();
      });
    },
    async look() {
      const due = await database.read
        .selectFrom("recordings")
        .selectAll()
        .where("lease_until", "<=", now())
        .where("complete", "=", false)
        // Queued ones wait for their next try.
        .where("state", "<>", "queued")
        .orderBy("lease_until")
        .limit(PIECE)
        .execute();
      for (const row of due) {
        if (working.has(row.id)) continue;
        // If the folder cannot be read, the try to finish it logs why, without delaying others. On
        // a stuck disk none can be: they are looked at later.
        if (await askDisk("folders that were left", () => isHere(row))) finishApart(row);
        else await giveUp(row);
      }
      if (performance.now() - tookBack < AGAIN_MS) return;
      tookBack = performance.now();
      await takeBack();
    },
  };
};
