import { peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { prepared } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { Refusal } from "../../lib/refusal.ts";
import { checkSentAway } from "../people/bans.ts";
import { whoGivesUp } from "../seats/claims-by-address.ts";
import { emptyRoom, lobbyPlaces, occupancyFrom, whyFull } from "../seats/places.ts";
import { sharesSeats } from "../state/find-place.ts";
import { findLeaving } from "../state/former-seat.ts";
import type { Comer } from "./claim-seat.ts";

/*
 * Many people who come to a full room would each hold the organization's row to read that it is full, and
 * every other change of the organization would wait behind them. So a join first looks without the row, and
 * refuses what the row would refuse too. Only the change decides who gets a seat.
 */

/** What a join has read so far. */
export interface Door {
  readonly row: Pick<RoomRow, "id" | "updated_at">;
  readonly room: Room;
  readonly meeting: MeetingRow | undefined;
  /** How a meeting that opens now carries media. */
  readonly media: MeetingRow["media"];
}

/**
 * The living seats of a meeting by role, state and address, in one query, so that all of them are of one
 * moment; empty if the meeting has ended or its room was edited since the door was read.
 */
const seatsNow = prepared<
  null,
  { readonly id: string; readonly updatedAt: string },
  Pick<SeatRow, "role" | "state" | "claimed_from"> & { readonly count: number | string }
>((db, _, { id, updatedAt }) =>
  db
    .selectFrom("meetings as m")
    .innerJoin("rooms as r", "r.id", "m.room_id")
    .innerJoin("seats as s", (join) =>
      join.onRef("s.meeting_id", "=", "m.id").on("s.left_at", "is", null),
    )
    .select(["s.role", "s.state", "s.claimed_from"])
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("m.id", "=", id)
    .where("m.ended_at", "is", null)
    .where("r.updated_at", "=", updatedAt)
    .where("s.role", "in", peerTypes)
    .groupBy(["s.role", "s.state", "s.claimed_from"]),
);

/**
 * Checks that a newcomer may find a place in a room, or in its lobby, where no claim is given up for them
 * either.
 *
 * @throws Refusal `seats_full`, `media_engine_needed`, `lobby_full`, `too_many_requests`, as `claimSeat` does
 */
export const foreseeRefusal = async (
  db: Queries,
  { row, room, meeting, media }: Door,
  who: Pick<Comer, "person" | "role" | "claimedFrom" | "waits" | "waitsForSeat">,
): Promise<void> => {
  if (who.waits === "moderator") await checkSentAway(db, row.id, who);
  const seats = meeting
    ? await seatsNow(db, null, { id: meeting.id, updatedAt: row.updated_at })
    : [];
  const own = who.claimedFrom;
  const checkOutside = (): void => {
    const waiting = seats.filter(({ state }) => state === "waiting");
    const taken = waiting.reduce((sum, { count }) => sum + Number(count), 0);
    if (taken < lobbyPlaces(room) || whoGivesUp(heldIn(waiting), own) !== undefined) return;
    throw new Refusal("lobby_full");
  };
  if (who.waits) return checkOutside();
  const { taken } = seats.length === 0 ? emptyRoom : occupancyFrom(seats);
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

type Claimed = Awaited<ReturnType<typeof seatsNow>>[number];

/** How many claims each address has among seats. */
const heldIn = (seats: readonly Claimed[]) => {
  const held = new Map<string, number>();
  for (const { claimed_from: from, count } of seats) {
    if (from !== null) held.set(from, (held.get(from) ?? 0) + Number(count));
  }
  return [...held].map(([claimed_from, count]) => ({ claimed_from, count }));
};
