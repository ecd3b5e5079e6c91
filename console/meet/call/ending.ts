import { ENDINGS, type ServerMessage } from "../../../contract/meeting-socket.ts";
import type { Stage } from "./state.ts";

/** Why a meeting is over, and what says more than that. */
export type Ended = Omit<Extract<Stage, { readonly name: "ended" }>, "name">;

/** The end of a meeting as the service tells it. */
export const endedAs = (
  { reason, message }: Extract<ServerMessage, { type: "ended" }>,
  sessionToken: string | undefined,
): Ended => ({
  // People with an invitation by name have no account.
  reason: reason === "signed_out" && sessionToken !== undefined ? "invitation_ended" : reason,
  // What it always says is a text of the page, in its language.
  message: message === ENDINGS[reason] ? "" : message,
});
