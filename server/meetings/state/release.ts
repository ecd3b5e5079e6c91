import type { EndReason } from "../../../contract/meetings/socket.ts";
import type { Change } from "../../change/organization.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { type Counted, moveSeat, occupancyFrom, occupancyOf } from "../seats/places.ts";
import { type EndedAt, endRead, endSeats, endSeatsOf } from "./end-seats.ts";
import { findHeld, type MeetingChange, type MeetingInRoom } from "./open-meeting.ts";
import { settleHeld, settleMeeting } from "./running.ts";

/*
 * How seats end. Every change of a seat ends with `settleMeeting`, so that the meeting and its room
 * follow.
 */

/**
 * Ends seats of any meetings of the organization; seats that have ended already stay as they are.
 * Their tickets become void. A meeting ends with its last seat.
 *
 * @param at the end of the people's stay
 */
export const releaseSeats = async (
  change: MeetingChange,
  seats: readonly SeatRow[],
  reason: EndReason,
  at: EndedAt = "now",
): Promise<void> => {
  for (const [meetingId, here] of Map.groupBy(seats, ({ meeting_id }) => meeting_id)) {
    const held = await findHeld(change.tx, meetingId);
    if (held) await releaseIn(change, held, here, reason, at);
    else await endSeats(change, meetingId, here, reason, at);
  }
};

/** Ends seats of one meeting that this change has read; see `releaseSeats`. */
const releaseIn = async (
  change: MeetingChange,
  held: MeetingInRoom,
  seats: readonly SeatRow[],
  reason: EndReason,
  at: EndedAt = "now",
): Promise<void> => {
  // They travel together: the count runs after the ends.
  const ended = endSeatsOf(change, held.meeting, seats, reason, at);
  const [, left] = await Promise.all([ended, occupancyOf(change.tx, held.meeting.id)]);
  await settleHeld(change, held, left);
};

/** A seat and its meeting, as a change has read them. */
export interface ReadSeat {
  readonly seat: SeatRow;
  readonly held: MeetingInRoom;
  /** The seats of the meeting. */
  readonly counted: readonly Counted[];
  /** True if the person has a second device there. */
  readonly hasSecond: boolean;
}

/** Ends a seat that this change has read; see `releaseSeats`. */
export const releaseRead = async (
  change: Change,
  { seat, held, counted, hasSecond }: ReadSeat,
  reason: EndReason,
): Promise<void> => {
  const state = await endRead(change, held.meeting, seat, reason, hasSecond);
  await settleHeld(change, held, occupancyFrom(moveSeat(counted, seat, state)));
};

/** Ends a seat; see `releaseSeats`. */
export const releaseSeat = (
  change: MeetingChange,
  seat: SeatRow,
  reason: EndReason,
  at?: EndedAt,
): Promise<void> => releaseSeats(change, [seat], reason, at);

/** Ends a seat that the media engine has emptied: it is free from now on. */
export const finishLeaving = async (
  change: MeetingChange,
  { id, meeting_id }: Pick<SeatRow, "id" | "meeting_id">,
): Promise<void> => {
  const done = await change.tx
    .updateTable("seats")
    .set(({ fn, ref }) => ({
      state: "left",
      lease_until: null,
      media_process: null,
      left_at: fn.coalesce(ref("last_seen"), now()),
    }))
    .where("id", "=", id)
    .where("state", "=", "leaving")
    .returning("id")
    .executeTakeFirst();
  if (done) await settleMeeting(change, meeting_id);
};
