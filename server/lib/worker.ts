import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS } from "./durations.ts";
import { startLooks } from "./looks.ts";

/** A worker's log, with pino's interface. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Does work that waits in a table. */
export interface Worker {
  /** Looks for work now. Called after every commit that made some. Never throws. */
  wake(): void;
  /** Removes old rows; also done every hour. Never throws. */
  tidy(): void;
  /**
   * Claims nothing more and waits for current work, at most `graceMs`; then it aborts that work and
   * ends its claims.
   */
  stop(graceMs?: number): Promise<void>;
}

/** The work of a worker. */
export interface WorkerTask<Item> {
  /** How often it looks, in milliseconds. */
  readonly lookMs: number;
  /** Claims what this process may do now, in addition to current work. */
  readonly claim: (underway: readonly Item[]) => Promise<readonly Item[]>;
  /**
   * Does one item, and marks the result.
   *
   * @param since performance.now() before the claim, before the lease began
   * @param stop aborted when the process must end: unfinished work is given back
   */
  readonly carry: (item: Item, since: number, stop: AbortSignal) => Promise<void>;
  readonly removeOld: (stopping: () => boolean) => Promise<void>;
  readonly log: Log;
  /** The log lines for a database that is away, by step. */
  readonly faults: { readonly claim: string; readonly carry: string; readonly removeOld: string };
}

const CLEAN_MS = HOUR_MS;

/** Starts doing the work that waits in a table. Any number of processes may, on one database. */
export const startWorker = <Item>(work: WorkerTask<Item>): Worker => {
  const stop = new AbortController();
  const underway = new Map<Item, Promise<void>>();
  let stopping = false;
  let databaseAway = false;
  // The work does not belong to the request or transaction that wakes the worker.
  const apart = AsyncLocalStorage.snapshot();

  const look = (): Promise<void> =>
    watched(work.faults.claim, async () => {
      const since = performance.now();
      for (const item of await work.claim([...underway.keys()])) begin(item, since);
    });

  const begin = (item: Item, since: number): void => {
    const done = watched(work.faults.carry, () => work.carry(item, since, stop.signal)).finally(
      () => {
        underway.delete(item);
        looks.wake();
      },
    );
    underway.set(item, done);
  };

  /** The worker survives every fault of the database, and logs it once. */
  const watched = async (text: string, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
      databaseAway = false;
    } catch (err) {
      if (!databaseAway) work.log.error({ err }, text);
      databaseAway = true;
    }
  };

  let tidying = Promise.resolve();
  let isTidyAsked = false;
  const tidy = (): void => {
    if (isTidyAsked) return;
    isTidyAsked = true;
    tidying = tidying.then(() => {
      isTidyAsked = false;
      return apart(watched, work.faults.removeOld, () => work.removeOld(() => stopping));
    });
  };
  const timer = setInterval(tidy, CLEAN_MS).unref();
  tidy();
  // `watched` never throws.
  const looks = startLooks({ everyMs: work.lookMs, look, onError: () => {} });

  return {
    wake: looks.wake,
    tidy,
    async stop(graceMs = 10_000) {
      stopping = true;
      clearInterval(timer);
      await looks.stop();
      await tidying;
      const done = new AbortController();
      const ended = Promise.all(underway.values()).then(() => done.abort());
      await sleep(graceMs, undefined, { signal: done.signal }).catch(() => {});
      stop.abort();
      await ended;
    },
  };
};
