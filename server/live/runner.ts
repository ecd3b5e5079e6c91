import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { UpdateObject } from "kysely";
import type { Logger } from "pino";
import { openOrganization, type Queries, service } from "../change/organization.ts";
import type { RunRow } from "../db/live-tables.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Tables } from "../db/tables.ts";
import type { CaptureQueue } from "../meetings/captures/queue.ts";
import { publishRun } from "../meetings/captures/runs.ts";
import type { Followable } from "../meetings/state/snapshot.ts";
import { mayGoOn } from "./rules.ts";

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
  readonly hub: Followable;
  readonly queue: CaptureQueue;
  /** The ID of this process. */
  readonly processId: string;
  /** Returns whether this process can carry out such a run. */
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

type Update = UpdateObject<Tables, "runs">;

/** How a run has stopped here. */
export interface Stopped {
  /** True if its lease is lost: another process may have it. */
  readonly isLost: boolean;
  /** True if the meeting, its room or a person has ended it. */
  readonly isOver: boolean;
  /** True if this process stops. */
  readonly isStopping: boolean;
  /** Why it ended by itself; null: as intended. */
  readonly error: string | null;
}

/** Returns whether another process is to continue a run. */
export const runGoesOn = ({ isLost, isOver, isStopping, error }: Stopped): boolean =>
  isLost || (!isOver && (isStopping || error === "recorder_missing"));

/**
 * Carries out the runs of one topic. A run belongs to one process by a lease; after that process
 * dies, the next one to look takes it over. Its progress is in its row, so everybody sees the same.
 */
export class Runner {
  readonly #database: Database;
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  /** The runs of this process, by their IDs. */
  readonly #running = new Map<string, Promise<void>>();
  /** The work does not belong to its caller. */
  readonly #apart = AsyncLocalStorage.snapshot();
  readonly #unlisten: () => Promise<void> | void;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isStale = false;

  /** Begins to look for runs. */
  constructor(database: Database, options: RunnerOptions) {
    this.#database = database;
    this.#options = options;
    this.#unlisten = database.announcements.listen(() => this.#lookSoon());
    this.#timer = setInterval(() => this.#lookSoon(), LOOK_MS).unref();
    this.#lookSoon();
  }

  /** Gives up its runs, so that others can continue them. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#unlisten();
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  get #hasStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #lookSoon(): void {
    if (this.#hasStopped) return;
    this.#isStale = true;
    this.#looking ??= this.#apart(() => this.#lookOn());
  }

  async #lookOn(): Promise<void> {
    const { topic, log } = this.#options;
    while (this.#isStale && !this.#hasStopped) {
      this.#isStale = false;
      await this.#look().catch((err: unknown) =>
        log.warn({ err, topic }, "runs of meetings are looked for later"),
      );
      await sleep(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
    this.#looking = undefined;
  }

  async #look(): Promise<void> {
    const { canRun } = this.#options;
    while (canRun() && !this.#hasStopped && (await this.#takeNext()));
  }

  /** Takes the next waiting run. @returns whether another one may be taken */
  async #takeNext(): Promise<boolean> {
    const { queue, topic } = this.#options;
    const turn = await queue.take(topic);
    if (turn === undefined) return false;
    const { id, leave } = turn;
    // Its lease may have run out while the database was away.
    const run = this.#running.has(id)
      ? undefined
      : await this.#claim(id).catch((error: unknown) => {
          leave();
          throw error;
        });
    if (run === undefined) {
      leave();
      return false;
    }
    const done = this.#carry(run).finally(() => {
      this.#running.delete(id);
      leave();
    });
    this.#running.set(id, done);
    await queue.moveUp();
    return true;
  }

  #claim(id: string): Promise<RunRow | undefined> {
    return this.#database.change((tx) =>
      tx
        .updateTable("runs")
        .set({ process: this.#options.processId, lease_until: now(RUN_LEASE_MS), error: null })
        .where("id", "=", id)
        .where("ended_at", "is", null)
        .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now())]))
        .returningAll()
        .executeTakeFirst(),
    );
  }

  /** Carries a run out until it ends, and writes how it has ended. */
  async #carry(run: RunRow): Promise<void> {
    const over = new AbortController();
    const unfollow = this.#options.hub.follow(run.meeting_id, (snapshot) => {
      const row = snapshot?.runs.find(({ id }) => id === run.id);
      if (!snapshot || !row || row.stop_asked || !mayGoOn(snapshot.room, row)) over.abort();
    });
    const renewing = this.#renew(run, over);
    const error = await this.#carryOut(run, over.signal);
    const isOver = over.signal.aborted;
    over.abort();
    unfollow();
    const isLost = await renewing;
    await this.#writeEnd(run, { isLost, isOver, isStopping: this.#hasStopped, error });
  }

  /** @returns why it ended; null: as intended */
  async #carryOut(run: RunRow, over: AbortSignal): Promise<string | null> {
    const { carryOut, topic, log } = this.#options;
    const signal = AbortSignal.any([over, this.#stopping.signal]);
    let current = run.state;
    const tell: Running["tell"] = async (state, error = null) => {
      const since = state === current ? {} : { since: new Date().toISOString() };
      current = state;
      await this.#write(run, { state, error, ...since });
    };
    try {
      return await carryOut({ run, signal, tell });
    } catch (err) {
      log.error({ err, topic }, "a run of a meeting failed");
      return "failed";
    }
  }

  /**
   * Renews the lease until the run is over.
   *
   * @returns whether the run ends here because its lease is lost
   */
  async #renew(run: RunRow, over: AbortController): Promise<boolean> {
    let lost = 0;
    while (!over.signal.aborted) {
      await sleep(RENEW_MS, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) break;
      const isOurs = await this.#database
        .change((tx) => this.#update(tx, run, { lease_until: now(RUN_LEASE_MS) }))
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
  }

  async #writeEnd(run: RunRow, stopped: Stopped): Promise<void> {
    const { topic, log } = this.#options;
    const { error } = stopped;
    const left = { process: null, lease_until: null, error };
    const set = runGoesOn(stopped)
      ? ({ ...left, state: "starting", since: new Date().toISOString() } as const)
      : ({ ...left, state: "ended", receiver: null, ended_at: now() } as const);
    await this.#write(run, set).catch((err: unknown) =>
      log.warn({ err, topic }, "the end of a run of a meeting is written later"),
    );
  }

  /** Writes a run's state, unless it is over or another process has it. */
  async #write(run: RunRow, set: Update & Pick<RunRow, "state">): Promise<void> {
    const organization = openOrganization(this.#database, run.organization_id, service);
    await organization.change(async (change) => {
      const { tx, announce } = change;
      // Only the process that has it changes it.
      const before = await tx
        .selectFrom("runs")
        .selectAll()
        .where("id", "=", run.id)
        .executeTakeFirst();
      const isFirst = set.state === "live" && before?.live_at === null;
      const after = await this.#update(tx, run, isFirst ? { ...set, live_at: now() } : set);
      if (before === undefined || after === undefined) return;
      publishRun(change, before, after);
      announce(run.meeting_id);
    });
  }

  #update(tx: Queries, { id }: Pick<RunRow, "id">, set: Update): Promise<RunRow | undefined> {
    return tx
      .updateTable("runs")
      .set(set)
      .where("id", "=", id)
      .where("process", "=", this.#options.processId)
      .where("ended_at", "is", null)
      .returningAll()
      .executeTakeFirst();
  }
}
