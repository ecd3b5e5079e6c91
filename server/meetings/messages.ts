import type { EndReason, ServerMessage } from "../../contract/meeting-socket.ts";

/** A message to somebody inside. */
export interface Message {
  readonly meetingId: string;
  readonly seatId: string;
  readonly message: ServerMessage;
}

const ENDINGS: Readonly<Record<EndReason, string>> = {
  left: "You have left the meeting.",
  removed: "A moderator has removed you from the meeting.",
  banned: "A moderator has excluded you from this room.",
  closed: "It was ended for everybody.",
  refused: "A moderator has not let you in.",
  lost: "Your connection was lost for too long.",
  moved: "You have entered this meeting in another window.",
  signed_out: "Your account may not be used any more.",
  room_deleted: "The room was deleted.",
};

/** The message that ends a socket. */
export const endedBy = (reason: EndReason, message = ""): ServerMessage => ({
  type: "ended",
  reason,
  message: message === "" ? ENDINGS[reason] : message,
});
