import { setTimeout as sleep } from "node:timers/promises";

/*
 * Times for work claimed from the database (letters, deliveries). Finished work must be marked
 * before its lease ends; otherwise another process repeats it.
 */

/** The timeout of the work, by the process's clock. */
export const DELIVERY_MS = 50_000;
/** How long to retry a mark that the database did not accept. */
export const MARK_MS = 55_000;
/** The lease of a claim, by the database's clock. */
export const DELIVERY_LEASE_MS = 60_000;

if (!(DELIVERY_MS < MARK_MS && MARK_MS < DELIVERY_LEASE_MS)) {
  throw new Error("A lease has to outlast the mark, and the mark the delivery.");
}

/**
 * Marks finished work, retrying while the lease lasts, because unmarked work is repeated.
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

/**
 * A process that has not renewed its row for this long is dead, in milliseconds: its seats are lost, and it
 * has no recorders.
 */
export const SILENT_MS = 15_000;
