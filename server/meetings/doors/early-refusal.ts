import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow } from "../../db/meeting-tables.ts";
import type { RoomRow } from "../../db/tables.ts";
import { Refusal } from "../../lib/refusal.ts";
import { whoGivesUp } from "../seats/claims-by-address.ts";
import { type CountedSeats, lobbyPlaces, occupancyFrom, whyFull } from "../seats/places.ts";
import { sharesSeats } from "../state/find-place.ts";
import { findLeaving } from "../state/former-seat.ts";
import { checkSentAway } from "./bans.ts";
import type { Comer } from "./claim-seat.ts";

/*
 * Many people who come to a full room would each hold the organization's row to read that it is full, and
 * every other change of the organization would wait behind them. So in a room that has refused somebody lately,
 * a join first looks without the row, and refuses what the row would refuse too. Only the change decides who
 * gets a seat.
 */

/** The rows that a join has read so far. */
export interface Door {
  readonly row: Pick<RoomRow, "id" | "updated_at">;
  readonly room: Room;
  readonly meeting: MeetingRow | undefined;
  /** How a meeting that opens now carries media. */
  readonly media: MeetingRow["media"];
  /** The living seats of the meeting. */
  readonly counts: readonly CountedSeats[];
}

/**
 * Checks that a newcomer may find a place in a room, or in its lobby, where no claim is given up for them
 * either.
 *
 * @throws Refusal `seats_full`, `media_engine_needed`, `lobby_full`, `too_many_requests`, as `claimSeat` does
 */
export const refuseEarly = async (
  db: Queries,
  { row, room, meeting, media, counts }: Door,
  who: Pick<Comer, "person" | "role" | "claimedFrom" | "waits" | "waitsForSeat">,
): Promise<void> => {
  if (who.waits === "moderator") await checkSentAway(db, row.id, who);
  // Those of another meeting, or after an edit of the room, say nothing about what else was read.
  const seats = counts.filter(
    ({ meeting_id, updated_at }) => meeting_id === meeting?.id && updated_at === row.updated_at,
  );
  const own = who.claimedFrom;
  const checkOutside = (): void => {
    const waiting = seats.filter(({ state }) => state === "waiting");
    const taken = waiting.reduce((sum, { count }) => sum + Number(count), 0);
    if (taken < lobbyPlaces(room) || whoGivesUp(heldIn(waiting), own) !== undefined) return;
    throw new Refusal("lobby_full");
  };
  if (who.waits) return checkOutside();
  const { taken } = occupancyFrom(seats);
  const full = whyFull(room, meeting ?? { media }, taken, who.role);
  if (full === undefined) return;
  const isShared = sharesSeats(room, full);
  const claims = seats.filter(
    ({ state, role }) => state === "claimed" && (isShared || role === who.role),
  );
  if (whoGivesUp(heldIn(claims), own) !== undefined) return;
  // Their own former seat is about to become free: the join waits for it.
  if (meeting && (await findLeaving(db, meeting.id, who.person)) !== undefined) return;
  if (!who.waitsForSeat) throw full;
  checkOutside();
};

/** How many claims each address has among seats. */
const heldIn = (seats: readonly CountedSeats[]) => {
  const held = new Map<string, number>();
  for (const { claimed_from: from, count } of seats) {
    if (from !== null) held.set(from, (held.get(from) ?? 0) + Number(count));
  }
  return [...held].map(([claimed_from, count]) => ({ claimed_from, count }));
};
