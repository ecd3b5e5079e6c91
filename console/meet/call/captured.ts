import type { Captured } from "../../../contract/meetings/meetings.ts";
import type { View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import { giveBack, type Seat } from "./seat.ts";
import type { Invitation } from "./state.ts";

const captures = ["recording", "streaming", "transcribing"] as const;

/** The captures of the meeting that somebody is in. */
export const capturedOf = ({
  meeting: { recording, liveStream, transcribing },
}: View): Captured => ({
  recording,
  streaming: liveStream !== null && liveStream.state !== "queued",
  transcribing,
});

/** The captures that somebody has to know before they enter. */
export const capturedTexts = (captured: Captured): readonly string[] =>
  captures.filter((one) => captured[one]).map((one) => m.captured[one]);

/**
 * Takes a seat, and checks at the same time whether the meeting is by now recorded, streamed or transcribed:
 * nobody enters such a meeting without knowing.
 *
 * @param known what the page showed
 * @param look loads that again
 * @param ask takes the seat
 * @returns the seat, or what the page must show first; the seat is then given back
 * @throws ParleyError as `ask` does
 */
export const unlessCaptured = async (
  known: Invitation,
  look: () => Promise<Invitation>,
  ask: () => Promise<Seat>,
): Promise<Seat | Invitation> => {
  // If that fails, joining reports the reason.
  const looked = look().catch(() => undefined);
  const [seat, found] = await Promise.all([ask(), looked]);
  if (found === undefined) return seat;
  const { recording, streaming, transcribing } = found;
  const now: Captured = { recording, streaming, transcribing };
  if (captures.every((one) => known[one] || !now[one])) return seat;
  // It may be one that this person had inside: a locked meeting takes them back.
  giveBack(seat.ticket, true);
  return { ...known, ...now };
};
