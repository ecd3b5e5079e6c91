import type { fetchInvitation } from "../../contract/meetings.ts";
import type { Checked, Reply } from "../../contract/operation.ts";
import type { Database } from "../db/open.ts";
import { isRecorded } from "../recordings/rules.ts";
import { roomOf } from "../rooms/stored.ts";
import { type Asking, guestOf, roomAskedFor } from "./door.ts";
import { broughtInvitation } from "./invitations.ts";
import { findOpenMeeting, findSeat, heldRoom } from "./running.ts";
import { isStreamed, isTranscribed, isWatched, runsOf } from "./runs.ts";
import { presentEntered } from "./view.ts";
import { needsPassword, offeredRoles, visitorOf, waitsOutside } from "./visitor.ts";

/**
 * What a link opens for the caller.
 *
 * @throws Refusal `room_not_found`, `link_ended`, `too_many_requests`
 */
export const invitationOf = async (
  database: Database,
  { roomId, sessionToken }: Checked<typeof fetchInvitation>,
  { auth, guest }: Asking,
): Promise<Reply<typeof fetchInvitation>["invitation"]> => {
  const { read } = database;
  const invitation = await broughtInvitation(read, sessionToken);
  const row = await roomAskedFor(read, roomId, auth, invitation);
  const papers = { auth, invitation, guest: guestOf(guest ?? "") };
  const [visitor, meeting, organization] = await Promise.all([
    visitorOf(read, row.organization_id, roomOf(row), papers),
    findOpenMeeting(read, row.id),
    read
      .selectFrom("organizations")
      .select("name")
      .where("id", "=", row.organization_id)
      .executeTakeFirstOrThrow(),
  ]);
  const room = heldRoom(row, meeting);
  const seat = meeting && (await findSeat(read, meeting.id, visitor.person));
  const isKnown = seat !== undefined && seat.state !== "waiting";
  const runs = meeting ? await runsOf(read, meeting.id) : [];
  return {
    ...presentEntered(room),
    organization: organization.name,
    passwordRequired: !isKnown && needsPassword(room, visitor),
    lobby: !isKnown && waitsOutside(room, visitor),
    running: meeting !== undefined && meeting.started_at !== null,
    locked: meeting?.locked === true,
    stream: isWatched(runs),
    recording: meeting !== undefined && (await isRecorded(read, meeting)),
    streaming: isStreamed(runs),
    transcribing: isTranscribed(runs),
    peerTypes: [...offeredRoles(room, visitor)],
    peerName: visitor.name,
  };
};
