import type { EndReason } from "../../contract/meeting-socket.ts";
import type { Change, Queries } from "../organization.ts";
import { Refusal } from "../refusal.ts";
import type { PersonSeat } from "./persons.ts";
import { admitSeat, releaseSeats } from "./seats.ts";

/** Everybody who waits before the door of a meeting, the longest waiting first. */
export const waitingSeats = (db: Queries, meetingId: string): Promise<PersonSeat[]> =>
  db
    .selectFrom("seats")
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("meeting_id", "=", meetingId)
    .where("state", "=", "waiting")
    .orderBy("claimed_at")
    .orderBy("id")
    .execute();

/** Lets everybody in who waits; those for whom no seat is free wait on. */
export const admitAll = async (change: Change, meetingId: string): Promise<void> => {
  for (const seat of await waitingSeats(change.tx, meetingId)) {
    try {
      await admitSeat(change, seat);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
};

/** Sends everybody away who waits. */
export const turnAway = async (
  change: Change,
  meetingId: string,
  reason: EndReason,
): Promise<void> => releaseSeats(change, await waitingSeats(change.tx, meetingId), reason);
