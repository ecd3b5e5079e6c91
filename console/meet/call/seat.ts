import type { EnteredRoom, joinRoom } from "../../../contract/meetings.ts";
import type { Reply } from "../../../contract/operation.ts";
import { parley } from "../../data/client.ts";
import * as address from "../address.ts";
import type { Entry, Invitation } from "./state.ts";

/** What opens the meeting to its holder. */
export type Seat = Reply<typeof joinRoom>;

/** Asks what a link opens for this person. @throws ParleyError with why it opens nothing */
export const askWhatOpens = async (
  roomId: string,
  sessionToken: string | undefined,
): Promise<Invitation> => {
  const invited = sessionToken === undefined ? {} : { sessionToken };
  return (await parley.fetchInvitation({ roomId, ...invited })).invitation;
};

/** Takes a seat. @throws ParleyError with why there is none */
export const askForSeat = (
  roomId: string,
  sessionToken: string | undefined,
  { peerName, password, peerType }: Entry,
): Promise<Seat> =>
  parley.joinRoom({
    roomId,
    ...(peerName === "" ? {} : { peerName }),
    ...(password === "" ? {} : { password }),
    ...(peerType === undefined ? {} : { peerType }),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });

/**
 * What others open. Somebody who came by the room's ID, as from the console, gets its link: the ID opens
 * the room to people of the organization only.
 */
export const linkFor = async ({ roomId }: EnteredRoom): Promise<string> => {
  if (address.roomId !== roomId) return address.link;
  try {
    return (await parley.getRoomLink({ roomId })).url;
  } catch {
    // Links are the owners' and the administrators'.
    return address.link;
  }
};

/**
 * Gives a seat back, also while the page goes: who clicks "Leave" often closes it at once.
 *
 * @param mayReturn whether the person may come back for a moment, as after a reload of the page
 */
export const giveBack = (ticket: string, mayReturn: boolean): void => {
  const left = JSON.stringify({ ticket, mayReturn });
  navigator.sendBeacon("/api/meeting/leaveRoom", new Blob([left], { type: "application/json" }));
};
