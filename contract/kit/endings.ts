import { texts } from "./texts.ts";

/*
 * The texts of `ended` on the meeting socket, by code, unless a moderator wrote one. No schemas:
 * pages have texts of their own.
 */

/** The texts by code. The code is the reason where a reason has one text. */
export const endings = {
  left: "You have left the meeting.",
  removed: "A moderator has removed you from the meeting.",
  banned: "A moderator has excluded you from this room.",
  closed: "It was ended for everybody.",
  everybody_left: "Everybody has left the meeting.",
  refused: "A moderator has not let you in.",
  lobby_full: "Too many people are waiting. Your place went to somebody else.",
  lost: "Your connection was lost for too long.",
  moved: "You have entered this meeting in another window.",
  signed_out: "Your account may not be used any more.",
  room_deleted: "The room was deleted.",
  ticket_ended: texts.ticket_ended.text,
} as const;
/** Why a seat ended, as precisely as its text. */
export type EndCode = keyof typeof endings;
