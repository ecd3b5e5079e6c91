import { refuse } from "../lib/refusal.ts";
import { openAllowance, SIGNALS } from "../meetings/state/rate.ts";
import type { Passing } from "./command.ts";

const mayCarry = openAllowance(SIGNALS);

/** Passes a description or a candidate on to another browser of a direct meeting. */
export const passSignal = (
  { connected: { meeting, seat }, sender, hub }: Passing,
  { to, data }: { readonly to: string; readonly data: string },
): void => {
  if (meeting.media !== "direct") refuse("not_in_this_room");
  if (!mayCarry(sender, Buffer.byteLength(data))) refuse("too_many_requests");
  if (!hub.signal(meeting.id, seat.id, to, data)) refuse("peer_not_found");
};
