/*
 * The timeouts of one delivery. A letter that is sent must be marked before its lease ends:
 * otherwise another postman sends it again.
 */

/** The timeout of a delivery, by the clock of this process. */
export const DELIVERY_MS = 50_000;
/** For how long a mark is retried that the database did not accept. */
export const MARK_MS = 55_000;
/** How long a claim lasts, by the clock of the database. */
export const LEASE_MS = 60_000;

if (!(DELIVERY_MS < MARK_MS && MARK_MS < LEASE_MS)) {
  throw new Error("A lease has to outlast the mark, and the mark the delivery.");
}
