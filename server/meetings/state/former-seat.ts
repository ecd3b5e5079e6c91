import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../../change/organization.ts";
import { livingSeats } from "../seats/seat.ts";

/*
 * A seat counts until the media engine has let its person go. A person who returns at once could
 * find the room full because of their own former seat, so the join waits until that seat is free.
 */

/** How long a join waits for the person's former seat, in milliseconds. A request has 4.5 seconds in all. */
const LET_GO_MS = 3_000;
const LOOK_MS = 100;

/** For each seat, ends the wait of the join that waits for it. */
const waits = new Map<string, AbortController>();

/** A person's former seat in an open meeting, as long as the media engine has not let the person go. */
export const findLeaving = async (
  db: Queries,
  meetingId: string,
  person: string,
): Promise<string | undefined> => {
  const seat = await livingSeats(db, meetingId)
    .select("id")
    .where("person", "=", person)
    .where("state", "=", "leaving")
    .executeTakeFirst();
  return seat?.id;
};

/**
 * Waits until the media engine has let somebody go. A later wait for the same seat ends the earlier
 * one, so that a person who asks repeatedly keeps only one request open.
 *
 * @returns whether it has let them go in time
 */
export const isLetGo = async (db: Queries, seatId: string): Promise<boolean> => {
  waits.get(seatId)?.abort();
  const own = new AbortController();
  const { signal } = own;
  waits.set(seatId, own);
  const until = performance.now() + LET_GO_MS;
  try {
    while (!signal.aborted && performance.now() < until) {
      const leaving = await db
        .selectFrom("seats")
        .select("id")
        .where("id", "=", seatId)
        .where("state", "=", "leaving")
        .executeTakeFirst();
      if (leaving === undefined) return !signal.aborted;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
    return false;
  } finally {
    if (waits.get(seatId) === own) waits.delete(seatId);
  }
};
