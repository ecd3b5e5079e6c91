import { parley } from "../../data/client.ts";
import type { Invitation } from "./state.ts";

/**
 * Whether the meeting has come to be recorded since somebody was told what the link opens: nobody enters
 * a recorded meeting without knowing.
 *
 * @returns the invitation that says so; undefined where nothing has changed
 */
export const recordedSince = async (
  roomId: string,
  known: Invitation | undefined,
): Promise<Invitation | undefined> => {
  if (known === undefined || known.recording) return undefined;
  const { invitation } = await parley.fetchInvitation({ roomId });
  return invitation.recording ? { ...known, recording: true } : undefined;
};
