import type { Queries } from "../../change/organization.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";

/** Returns whether moderators may let a waiting person in: nobody decides for whom a seat becomes free. */
export const isAsking = ({ waits_for }: Pick<SeatRow, "waits_for">): boolean =>
  waits_for !== "seat";

/**
 * Hands everybody over to the moderators who waits for a host or a seat: what they passed at the door is not
 * what the door asks now.
 */
export const askModerators = async (tx: Queries, roomId: string): Promise<void> => {
  await tx
    .updateTable("seats")
    .set({ waits_for: null })
    .where("room_id", "=", roomId)
    .where("state", "=", "waiting")
    .where("waits_for", "is not", null)
    .execute();
};
