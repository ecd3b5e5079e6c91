import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../organization.ts";

/*
 * A seat counts until the media engine has let its person go. Somebody who comes back at once would find
 * a full room because of their own former seat: so they wait for it.
 */

/** How long somebody waits for their own former seat, in milliseconds. A request has 4.5 seconds in all. */
const LET_GO_MS = 3_000;
const LOOK_MS = 100;

/** What ends the wait of the join that waits here for each seat. */
const waits = new Map<string, AbortController>();

/** The seat of somebody in a meeting that has ended, and that the media engine has yet to empty. */
export const findLeaving = async (
  db: Queries,
  meetingId: string,
  person: string,
): Promise<string | undefined> => {
  const seat = await db
    .selectFrom("seats")
    .select("id")
    .where("meeting_id", "=", meetingId)
    .where("person", "=", person)
    .where("state", "=", "leaving")
    .executeTakeFirst();
  return seat?.id;
};

/**
 * Waits until the media engine has let somebody go. A later wait for the same seat ends the one before,
 * so that a person who asks again and again holds one request at a time.
 *
 * @returns whether it has, in time
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
