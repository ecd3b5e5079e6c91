import type { EndReason } from "../../../contract/meetings/socket.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Change, Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import type { Refusal } from "../../lib/refusal.ts";
import { hasPassword } from "../../records/room-secrets.ts";
import { livingSeats, type PersonSeat } from "../seats/seat.ts";
import { isAsking } from "../seats/waiting-room.ts";
import { releaseSeats } from "../state/release.ts";
import { admitSeats } from "./claim-seat.ts";

/** The people outside a meeting in one of these states, longest wait first. */
const seatsOutside = (
  db: Queries,
  meetingId: string,
  states: readonly SeatRow["state"][],
): Promise<PersonSeat[]> =>
  livingSeats(db, meetingId)
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("state", "in", states)
    .orderBy("claimed_at")
    .orderBy("id")
    .execute();

/**
 * Lets in everybody who waits for a moderator or a host; people without a free seat keep waiting.
 *
 * @returns why nobody could be let in; undefined if somebody was, or if nobody waits
 */
export const admitAll = async (change: Change, meetingId: string): Promise<Refusal | undefined> => {
  const outside = await seatsOutside(change.tx, meetingId, ["waiting"]);
  const waiting = outside.filter(isAsking);
  const refusals = await admitSeats(change, waiting);
  return refusals.length === waiting.length ? refusals[0] : undefined;
};

/**
 * Lets everybody in who waits, after an edit or an unlocking, where nothing keeps a newcomer out. Those whose
 * invitation makes them wait keep waiting.
 */
export const admitIfOpen = async (
  change: Change,
  room: Room,
  { id, locked }: Pick<MeetingRow, "id" | "locked">,
): Promise<void> => {
  if (room.authenticationRequired || hasPassword(room) || locked) return;
  const outside = await seatsOutside(change.tx, id, ["waiting"]);
  await admitSeats(
    change,
    outside.filter(({ waits_for, held }) => waits_for === null && !held),
  );
};

/** Sends everybody away who waits, or who could come back after a reload. */
export const turnAway = async (
  change: Change,
  meetingId: string,
  reason: EndReason,
): Promise<void> => {
  const outside = await seatsOutside(change.tx, meetingId, ["waiting", "returning"]);
  await releaseSeats(change, outside, reason);
};
