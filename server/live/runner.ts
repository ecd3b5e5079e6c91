import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { UpdateObject } from "kysely";
import type { Logger } from "pino";
import { openOrganization, type Queries, service } from "../change/organization.ts";
import type { RunRow } from "../db/live-tables.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Tables } from "../db/tables.ts";
import type { Hub } from "../meetings/socket/hub.ts";
import type { CaptureQueue } from "../meetings/state/capture-queue.ts";
import { publishRun } from "../meetings/state/run-events.ts";
import { mayGoOn } from "./rules.ts";

/*
 * Carries out the runs of one topic. A run belongs to one process by a lease; after that process
 * dies, the next one to look takes it over. Its progress is in its row, so everybody sees the same.
 */

const LOOK_MS = 2_000;
/** Announcements come often; one look serves all within this time. */
const PAUSE_MS = 100;
const RUN_LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/** A run that this process carries out. */
export interface Running {
  readonly run: RunRow;
  /** Aborted to end it. */
  readonly signal: AbortSignal;
  /** Stores the state of the run. */
  tell(state: RunRow["state"], error?: string | null): Promise<void>;
}

export interface RunnerOptions {
  readonly topic: RunRow["topic"];
  readonly hub: Pick<Hub, "follow">;
  readonly queue: CaptureQueue;
  /** The ID of this process. */
  readonly processId: string;
  /** Whether this process can carry out such a run. */
  readonly canRun: () => boolean;
  /**
   * Carries it out until its signal.
   *
   * @returns why it ended by itself; null: as intended; `recorder_missing`: it waits for a process
   * that can continue it
   */
  readonly carryOut: (running: Running) => Promise<string | null>;
  readonly log: Pick<Logger, "warn" | "error">;
}

export interface Runner {
  /** Gives up its runs, so that others can continue them. */
  stop(): Promise<void>;
}

export const startRunner = (database: Database, options: RunnerOptions): Runner => {
  const { topic, hub, queue, processId, canRun, carryOut, log } = options;
  // The work does not belong to its caller.
  const apart = AsyncLocalStorage.snapshot();
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  const update = (
    tx: Queries,
    { id }: Pick<RunRow, "id">,
    set: UpdateObject<Tables, "runs">,
  ): Promise<RunRow | undefined> =>
    tx
      .updateTable("runs")
      .set(set)
      .where("id", "=", id)
      .where("process", "=", processId)
      .where("ended_at", "is", null)
      .returningAll()
      .executeTakeFirst();

  /** Writes a run's state, unless it is over or another process has it. */
  const write = async (
    run: RunRow,
    set: UpdateObject<Tables, "runs"> & Pick<RunRow, "state">,
  ): Promise<void> => {
    await openOrganization(database, run.organization_id, service).change(async (change) => {
      const { tx, announce } = change;
      // Only the process that has it changes it.
      const before = await tx
        .selectFrom("runs")
        .selectAll()
        .where("id", "=", run.id)
        .executeTakeFirst();
      const isFirst = set.state === "live" && before?.live_at === null;
      const after = await update(tx, run, isFirst ? { ...set, live_at: now() } : set);
      if (before === undefined || after === undefined) return;
      publishRun(change, before, after);
      announce(run.meeting_id);
    });
  };

  const claim = (id: string): Promise<RunRow | undefined> =>
    database.change((tx) =>
      tx
        .updateTable("runs")
        .set({ process: processId, lease_until: now(RUN_LEASE_MS), error: null })
        .where("id", "=", id)
        .where("ended_at", "is", null)
        .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now())]))
        .returningAll()
        .executeTakeFirst(),
    );

  /**
   * Renews the lease until the run is over.
   *
   * @returns whether the run ends here because its lease is lost
   */
  const renew = async (run: RunRow, over: AbortController): Promise<boolean> => {
    let lost = 0;
    while (!over.signal.aborted) {
      await sleep(RENEW_MS, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) break;
      const isOurs = await database
        .change((tx) => update(tx, run, { lease_until: now(RUN_LEASE_MS) }))
        .then((held) => held !== undefined)
        .catch(() => undefined);
      lost = isOurs === undefined ? lost + 1 : 0;
      // After this long without a database, others may have taken it over.
      if ((isOurs === false || lost > RUN_LEASE_MS / RENEW_MS) && !over.signal.aborted) {
        over.abort();
        return true;
      }
    }
    return false;
  };

  const carry = async (run: RunRow): Promise<void> => {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, stopping.signal]);
    const unfollow = hub.follow(run.meeting_id, (snapshot) => {
      const row = snapshot?.runs.find(({ id }) => id === run.id);
      if (!snapshot || !row || row.stop_asked || !mayGoOn(snapshot.room, row)) over.abort();
    });
    const renewing = renew(run, over);
    let current = run.state;
    const tell: Running["tell"] = async (state, error = null) => {
      const since = state === current ? {} : { since: new Date().toISOString() };
      current = state;
      await write(run, { state, error, ...since });
    };
    let error: string | null = null;
    try {
      error = await carryOut({ run, signal, tell });
    } catch (err) {
      log.error({ err, topic }, "a run of a meeting failed");
      error = "failed";
    }
    const isOver = over.signal.aborted;
    over.abort();
    unfollow();
    const isLost = await renewing;
    const goesOn = isLost || (!isOver && (stopping.signal.aborted || error === "recorder_missing"));
    const left = { process: null, lease_until: null };
    const set = goesOn
      ? ({ ...left, state: "starting", error, since: new Date().toISOString() } as const)
      : ({ ...left, state: "ended", error, receiver: null, ended_at: now() } as const);
    await write(run, set).catch((err: unknown) =>
      log.warn({ err, topic }, "the end of a run of a meeting is written later"),
    );
  };

  /** Takes the next waiting run. @returns whether another one may be taken */
  const takeNext = async (): Promise<boolean> => {
    const turn = await queue.take(topic);
    if (turn === undefined) return false;
    const { id, leave } = turn;
    // Its lease may have run out while the database was away.
    const run = running.has(id)
      ? undefined
      : await claim(id).catch((error: unknown) => {
          leave();
          throw error;
        });
    if (run === undefined) {
      leave();
      return false;
    }
    const done = carry(run).finally(() => {
      running.delete(id);
      leave();
    });
    running.set(id, done);
    await queue.moveUp();
    return true;
  };

  const look = async (): Promise<void> => {
    while (canRun() && !stopping.signal.aborted && (await takeNext()));
  };

  let looking: Promise<void> | undefined;
  let isStale = false;
  const lookSoon = (): void => {
    if (stopping.signal.aborted) return;
    isStale = true;
    looking ??= apart(async () => {
      while (isStale && !stopping.signal.aborted) {
        isStale = false;
        await look().catch((err: unknown) =>
          log.warn({ err, topic }, "runs of meetings are looked for later"),
        );
        await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
      looking = undefined;
    });
  };
  const unlisten = database.announcements.listen(lookSoon);
  const timer = setInterval(lookSoon, LOOK_MS).unref();
  lookSoon();

  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await unlisten();
      await looking;
      await Promise.all(running.values());
    },
  };
};
