import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../seal.ts";
import { type ClaimedLetter, claimLetters } from "./claims.ts";
import { openDelivery } from "./delivery.ts";
import { type Log, openGate } from "./gate.ts";
import { type Bag, carry } from "./round.ts";
import { removeOver } from "./tidy.ts";

export interface Postman {
  /** Looks for letters now; called after every commit that posted one. Never throws. */
  wake(): void;
  /** Removes old files and rows of letters; called when people were deleted. Never throws. */
  tidy(): void;
  /**
   * Claims no more letters and waits for those under way, at most `graceMs`; then it aborts
   * them and ends their claims.
   */
  stop(graceMs?: number): Promise<void>;
}

const LOOK_MS = 3_000;
const CLEAN_MS = 60 * 60 * 1000;

/**
 * Starts to deliver the letters of the outbox, those that already wait included. Any number of
 * postmen may work on one database.
 */
export const startPostman = (given: {
  readonly database: Database;
  readonly seal: Seal;
  readonly config: Pick<
    Config,
    "smtp" | "dataDir" | "mailFrom" | "mailRetrySeconds" | "mailFileDays"
  >;
  readonly log: Log;
}): Postman => {
  const { database, config, log } = given;
  const delivery = openDelivery(config);
  const bag: Bag = { ...given, delivery };
  const gate = openGate(delivery, log, wake);
  const stop = new AbortController();
  const underway = new Set<Promise<void>>();
  let stopping = false;
  let awake = false;
  let looking: Promise<void> | undefined;
  let databaseAway = false;
  // The work does not belong to the request or transaction that wakes the postman.
  const apart = AsyncLocalStorage.snapshot();

  function wake(): void {
    awake = true;
    if (stopping || looking !== undefined) return;
    looking = apart(look).finally(() => {
      looking = undefined;
      if (awake) wake();
    });
  }

  const look = async (): Promise<void> => {
    awake = false;
    const free = gate.width() - underway.size;
    if (free <= 0) return;
    await watched("Emails cannot be looked up.", async () => {
      const since = performance.now();
      const letters = await claimLetters(database, free);
      for (const letter of letters) begin(letter, since);
    });
  };

  const begin = (letter: ClaimedLetter, since: number): void => {
    const delivery = watched("An email cannot be marked; it is tried again later.", async () => {
      gate.report(await carry(bag, letter, since, stop.signal));
    }).finally(() => {
      underway.delete(delivery);
      wake();
    });
    underway.add(delivery);
  };

  /** The postman survives every fault of the database, and logs it once. */
  const watched = async (text: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      databaseAway = false;
    } catch (err) {
      if (!databaseAway) log.error({ err }, text);
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
      return apart(watched, "Old emails cannot be removed.", () =>
        removeOver(database, config, () => stopping),
      );
    });
  };
  const timers = [setInterval(wake, LOOK_MS), setInterval(tidy, CLEAN_MS)];
  tidy();
  wake();

  return {
    wake,
    tidy,
    async stop(graceMs = 10_000) {
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      gate.close();
      await looking;
      await tidying;
      const done = new AbortController();
      const ended = Promise.all(underway).then(() => done.abort());
      await sleep(graceMs, undefined, { signal: done.signal }).catch(() => {});
      stop.abort();
      await ended;
    },
  };
};
