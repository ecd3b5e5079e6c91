import type { EndReason } from "../../../contract/meetings/socket.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { type EndedAt, endSeats } from "./end-seats.ts";
import { type MeetingChange, settleMeeting } from "./running.ts";

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
    await endSeats(change, meetingId, here, reason, at);
    await settleMeeting(change, meetingId);
  }
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
