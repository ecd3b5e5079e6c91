import type { Queries } from "../../change/organization.ts";

/**
 * The seats of a meeting that have not ended, of people and of captures. Where only their states are asked
 * for, the database walks over all seats that have ended there.
 */
export const livingSeats = (db: Queries, meetingId: string) =>
  db.selectFrom("seats").where("meeting_id", "=", meetingId).where("left_at", "is", null);
