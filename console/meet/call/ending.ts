import { ENDINGS, type ServerMessage } from "../../../contract/meeting-socket.ts";
import type { Stage } from "./state.ts";

/** The page after a meeting. */
export type EndedStage = Extract<Stage, { readonly name: "ended" }>;

/** The end of a meeting as the service tells it. */
export const endedAs = (
  { reason, message }: Extract<ServerMessage, { type: "ended" }>,
  sessionToken: string | undefined,
): EndedStage => ({
  name: "ended",
  // People with an invitation by name have no account.
  reason: reason === "signed_out" && sessionToken !== undefined ? "invitation_ended" : reason,
  // What it always says is a text of the page, in its language.
  message: message === ENDINGS[reason] ? "" : message,
});
