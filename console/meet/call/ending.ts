import type { ServerMessage } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import type { Ending, Stage } from "./state.ts";

type Ended = Extract<ServerMessage, { type: "ended" }>;

/** The page after a meeting. */
export type EndedStage = Extract<Stage, { readonly name: "ended" }>;

/** The ends that nobody has decided: the page comes back by itself. */
const undecided: ReadonlySet<Ending> = new Set(["lost", "blocked", "lobby_full"]);
export const comesBack = ({ reason }: EndedStage): boolean => undecided.has(reason);

/** Why a seat has ended; a ticket that the service does not know any more is lost, and nobody has left. */
const reasonOf = ({ reason, code }: Ended, sessionToken: string | undefined): Ending => {
  if (code === "ticket_ended") return "lost";
  // People with an invitation by name have no account.
  return reason === "signed_out" && sessionToken !== undefined ? "invitation_ended" : reason;
};

/** The text beside the reason's own: that nobody is left, or a moderator's words. */
const wordsOf = ({ code, message }: Ended): string => {
  if (code === "everybody_left") return m.ended.closed.everybodyLeft;
  return code === undefined ? message : "";
};

/** The end of a meeting as the service tells it. */
export const endedAs = (ended: Ended, sessionToken: string | undefined): EndedStage => {
  const reason = reasonOf(ended, sessionToken);
  return { name: "ended", reason, message: wordsOf(ended) };
};
