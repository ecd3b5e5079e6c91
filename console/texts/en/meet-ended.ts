import type { EndReason } from "../../../contract/meetings/socket.ts";

/** Why a meeting is over for somebody: as the service says it, or as only the page knows. */
export type Ending = EndReason | "stopped_waiting" | "stream_over" | "invitation_ended" | "blocked";

/** What is said at the end, by its reason. */
export const meetEnded: Record<Ending, { readonly title: string; readonly help: string }> = {
  left: { title: "You have left the meeting", help: "" },
  removed: { title: "You were removed", help: "A moderator has removed you from the meeting." },
  banned: { title: "You were excluded", help: "A moderator has excluded you from this room." },
  closed: { title: "The meeting has ended", help: "It has ended for everybody." },
  refused: { title: "You were not let in", help: "A moderator has refused your request." },
  lobby_full: {
    title: "Too many people are waiting",
    help: "Most of them are in your network, so your place went to somebody elsewhere. This page asks again automatically.",
  },
  lost: {
    title: "The connection was lost",
    help: "It did not come back in time. This page tries again automatically. Check your network, then rejoin.",
  },
  blocked: {
    title: "The meeting cannot be reached from here",
    help: "This page was loaded, but the connection that a meeting needs does not get through. Try another network. If it fails everywhere, tell the person who invited you. This page tries again automatically.",
  },
  moved: {
    title: "You are in the meeting elsewhere",
    help: "You joined from another window or device. You can continue in this one.",
  },
  signed_out: {
    title: "Your session has ended",
    help: "Your password was reset, or your account is no longer active. Sign in again to return.",
  },
  room_deleted: { title: "The room was deleted", help: "The meeting has ended." },
  stream_over: {
    title: "The stream is over",
    help: "If it begins again, you can watch it from the meeting's page.",
  },
  stopped_waiting: { title: "You have stopped waiting", help: "" },
  invitation_ended: {
    title: "Your invitation has ended",
    help: "Ask the person who invited you for a new one.",
  },
};
