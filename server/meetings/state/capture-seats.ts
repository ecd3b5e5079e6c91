import type { Change } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { digestOf } from "../../lib/digest.ts";
import { uuid7 } from "../../lib/id.ts";
import { refuse } from "../../lib/refusal.ts";
import { type CaptureRole, freshSeat } from "../seats/seat.ts";
import { releaseSeat } from "./release.ts";

/** A capture that is to receive a meeting. */
export interface CaptureSeat {
  readonly role: CaptureRole;
  /** True to receive video and screens; it always receives sound. */
  readonly video: boolean;
  readonly ticket: string;
}

/**
 * Takes a seat for a capture in a running meeting. The seat is in no count (seats/seat.ts), and ends with the
 * meeting.
 *
 * @throws Refusal `no_meeting` if the meeting is over, or nobody has come yet
 */
export const claimCapture = async (
  { tx, organization }: Change,
  meetingId: string,
  { role, video, ticket }: CaptureSeat,
): Promise<{ readonly seat: SeatRow; readonly meeting: MeetingRow }> => {
  const meeting =
    (await tx
      .selectFrom("meetings")
      .selectAll()
      .where("id", "=", meetingId)
      .where("organization_id", "=", organization.id)
      .where("ended_at", "is", null)
      .where("started_at", "is not", null)
      .executeTakeFirst()) ?? refuse("no_meeting");
  const seat = await tx
    .insertInto("seats")
    .values({
      ...freshSeat(meeting, digestOf(ticket)),
      role,
      person: `capture:${uuid7()}`,
      user_id: null,
      peer_name: "",
      state: "claimed",
      audio: true,
      video,
      share: video,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { seat, meeting };
};

/** Ends a capture, unless it has ended already. */
export const releaseCapture = async (change: Change, seatId: string): Promise<void> => {
  const seat = await change.tx
    .selectFrom("seats")
    .selectAll()
    .where("id", "=", seatId)
    .executeTakeFirst();
  if (seat) await releaseSeat(change, seat, "left");
};
