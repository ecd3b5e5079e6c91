/*
 * How long one delivery takes at most. A letter that is sent must be marked before its lease ends:
 * another postman would send it again.
 */

/** How long a delivery may take, by the clock of this process. */
export const DELIVERY_MS = 50_000;
/** Until when a mark that the database did not take is tried again. */
export const MARK_MS = 55_000;
/** How long a claim lasts, by the clock of the database. */
export const LEASE_MS = 60_000;

if (!(DELIVERY_MS < MARK_MS && MARK_MS < LEASE_MS)) {
  throw new Error("A lease has to outlast the mark, and the mark the delivery.");
}
