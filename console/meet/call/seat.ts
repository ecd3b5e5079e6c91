import type { CallOptions } from "../../../contract/client.ts";
import type { Reply } from "../../../contract/kit/operation.ts";
import type { EnteredRoom, joinRoom } from "../../../contract/meetings/meetings.ts";
import { base } from "../../kit/base.ts";
import { whileBusy } from "../../kit/busy.ts";
import { ParleyError, parley } from "../../kit/client.ts";
import * as address from "../address.ts";
import type { Entry, Invitation } from "./state.ts";

/** The credentials that open the meeting to their holder. */
export type Seat = Reply<typeof joinRoom>;

/** Asks what a link opens for this person. @throws ParleyError with the reason if it opens nothing */
export const askWhatOpens = async (
  roomId: string,
  sessionToken: string | undefined,
  options?: CallOptions,
): Promise<Invitation> => {
  const invited = sessionToken === undefined ? {} : { sessionToken };
  const asked = { roomId, ...invited };
  return (await whileBusy(() => parley.fetchInvitation(asked, options))).invitation;
};

export interface TakeOptions extends CallOptions {
  /** True if the person moves here from another window; a page that tries by itself takes nobody away there. */
  readonly takesOver?: boolean;
}

/** Takes a seat. @throws ParleyError with the reason if there is none */
export const askForSeat = (
  roomId: string,
  sessionToken: string | undefined,
  { peerName, password, peerType, waitsForSeat = false, secondDevice = false }: Entry,
  { takesOver = true, ...options }: TakeOptions = {},
): Promise<Seat> =>
  whileBusy(() =>
    parley.joinRoom(
      {
        roomId,
        ...(peerName === "" ? {} : { peerName }),
        ...(password === "" ? {} : { password }),
        ...(peerType === undefined ? {} : { peerType }),
        ...(sessionToken === undefined ? {} : { sessionToken }),
        ...(takesOver ? {} : { takesOver }),
        ...(waitsForSeat ? { waitsForSeat } : {}),
        ...(secondDevice ? { secondDevice } : {}),
      },
      options,
    ),
  );

/** Returns whether the service cannot be reached, or a proxy before it says so: it may be starting again. */
export const isAway = (failure: unknown): boolean =>
  !(failure instanceof ParleyError) || failure.status >= 500;

/** The refusals that end by themselves, as when somebody leaves. */
const passing: ReadonlySet<string> = new Set([
  "seats_full",
  "lobby_full",
  "media_engine_needed",
  "too_many_requests",
]);

/** Returns whether nobody has decided this, so that another try may help. */
export const isPassing = (failure: unknown): boolean =>
  isAway(failure) || (failure instanceof ParleyError && passing.has(failure.code));

/**
 * The link for others. A person who came by the room's ID gets its link: the ID opens the room only to people
 * of the organization.
 */
export const linkFor = async ({ roomId }: EnteredRoom): Promise<string> => {
  if (address.roomHere() !== roomId) return address.linkHere();
  try {
    return (await parley.getRoomLink({ roomId })).url;
  } catch {
    // Only owners and administrators may see links.
    return address.linkHere();
  }
};

/**
 * Shows a host the link as the address of the page, so that a copy of it works for everybody. They may have
 * come by the room's ID, as from the console, or by a link that has ended.
 */
export const showLink = async ({ roomId }: EnteredRoom): Promise<void> => {
  try {
    address.moveTo((await parley.getRoomLink({ roomId })).code);
  } catch {
    // The room is entered by its ID just as well.
  }
};

/**
 * Gives a seat back, even while the page closes: people often close it right after clicking "Leave".
 *
 * @param mayReturn whether the person may come back for a moment, as after a reload of the page
 */
export const giveBack = (ticket: string, mayReturn: boolean): void => {
  const left = JSON.stringify({ ticket, mayReturn });
  navigator.sendBeacon(
    `${base}/api/meeting/leaveRoom`,
    new Blob([left], { type: "application/json" }),
  );
};
