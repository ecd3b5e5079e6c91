import type { SeatRow } from "../../db/meeting-tables.ts";

/** The columns that `leftAtOf` needs. */
export const endColumns = ["state", "left_at", "last_seen"] as const;

/** When a stay ended; null while the person is there. The media engine may have yet to let them go. */
export const leftAtOf = (seat: Pick<SeatRow, (typeof endColumns)[number]>): string | null =>
  seat.left_at ?? (seat.state === "leaving" ? seat.last_seen : null);
