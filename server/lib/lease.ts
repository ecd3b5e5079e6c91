import { setTimeout as sleep } from "node:timers/promises";

/*
 * The times of work that a process claims from the database: a letter, a webhook's delivery.
 * Finished work must be marked before its lease ends: otherwise another process does it again.
 */

/** The timeout of the work, by the clock of this process. */
export const DELIVERY_MS = 50_000;
/** How long to retry a mark that the database did not accept. */
export const MARK_MS = 55_000;
/** How long a claim lasts, by the clock of the database. */
export const DELIVERY_LEASE_MS = 60_000;

if (!(DELIVERY_MS < MARK_MS && MARK_MS < DELIVERY_LEASE_MS)) {
  throw new Error("A lease has to outlast the mark, and the mark the delivery.");
}

/**
 * Marks finished work, and retries while the lease lasts: unmarked work is done again.
 *
 * @param since performance.now() before the claim
 * @param stop aborted when the process must end
 */
export const markInTime = async (
  mark: () => Promise<void>,
  since: number,
  stop: AbortSignal,
): Promise<void> => {
  for (;;) {
    try {
      return await mark();
    } catch (error) {
      if (stop.aborted || performance.now() - since > MARK_MS) throw error;
      await sleep(500);
    }
  }
};
