import { giveBack, type Seat } from "./seat.ts";
import type { Invitation } from "./state.ts";

/**
 * Takes a seat, and looks meanwhile whether the meeting has come to be recorded since the person was told
 * what the link opens: nobody enters a recorded meeting without knowing.
 *
 * @param known what the person was told
 * @param look asks that again
 * @param ask takes the seat
 * @returns the seat, or what the person has to be told; the seat is then given back
 * @throws ParleyError as `ask` does
 */
export const unlessRecorded = async (
  known: Invitation,
  look: () => Promise<Invitation>,
  ask: () => Promise<Seat>,
): Promise<Seat | Invitation> => {
  if (known.recording) return ask();
  // Where that is not answered, joining says why.
  const looked = look().catch(() => undefined);
  const [seat, now] = await Promise.all([ask(), looked]);
  if (now?.recording !== true) return seat;
  giveBack(seat.ticket, false);
  return { ...known, recording: true };
};
