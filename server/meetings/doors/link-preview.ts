import type { Checked, Reply } from "../../../contract/kit/operation.ts";
import { settingsOf } from "../../../contract/kit/organization-settings.ts";
import type { fetchInvitation } from "../../../contract/meetings/meetings.ts";
import type { Database } from "../../db/open.ts";
import type { RoomRow } from "../../db/tables.ts";
import { Refusal } from "../../lib/refusal.ts";
import { brandOf } from "../../records/brand.ts";
import { nextDateOf } from "../../records/schedules.ts";
import { isRecorded } from "../captures/recording-rules.ts";
import { isStreamed, isTranscribed, isWatched, runsOf } from "../captures/runs.ts";
import { roomOfCode } from "../state/links.ts";
import { presentEntered } from "../state/view.ts";
import { lacksHost } from "../state/waiting-queue.ts";
import { arrive } from "./arrival.ts";
import { type Asking, guestCookie, guestOf } from "./entry-checks.ts";
import { mayStay } from "./right-to-stay.ts";
import { awaitsHosts, needsPassword, offeredRoles, waitsOutside } from "./visitor.ts";

/**
 * The room that a link opens for the caller.
 *
 * @throws Refusal `room_not_found`, `link_ended`, `too_many_requests`
 */
export const invitationOf = async (
  database: Database,
  { roomId, sessionToken }: Checked<typeof fetchInvitation>,
  { auth, guest }: Asking,
): Promise<Reply<typeof fetchInvitation>["invitation"]> => {
  const { read } = database;
  const credentials = { auth, guest: guestOf(guestCookie(guest)) };
  const { row, room, meeting, visitor, seat } = await arrive(
    read,
    { roomId, sessionToken },
    credentials,
  );
  const organization = await read
    .selectFrom("organizations")
    .select(["name", "settings"])
    .where("id", "=", row.organization_id)
    .executeTakeFirstOrThrow();
  const { rateMeetings, speechLanguage } = settingsOf(organization);
  const isKnown = seat !== undefined && mayStay(seat);
  const runs = meeting ? await runsOf(read, meeting.id) : [];
  return {
    ...presentEntered(room, await nextDateOf(read, row.id, room.scheduledDateTime)),
    organization: organization.name,
    brand: await brandOf(read, row.organization_id),
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
    host: visitor.kind === "host",
    rating: rateMeetings,
    ...(speechLanguage !== null && { speechLanguage }),
    waitsForHost: !isKnown && awaitsHosts(visitor) && (await lacksHost(read, row, meeting)),
    ...(visitor.returnUrl ? { returnUrl: visitor.returnUrl } : {}),
  };
};

/**
 * The room whose dates a link shows: the one that it opens, and for a link that has ended with a meeting the
 * one that it opened.
 *
 * @throws Refusal `room_not_found`, `link_ended`
 */
export const datedRoom = async (
  { read, find }: Pick<Database, "read" | "find">,
  wanted: Checked<typeof fetchInvitation>,
  { auth, guest }: Asking,
): Promise<{ readonly row: RoomRow; readonly opens: boolean }> => {
  try {
    const { row } = await arrive(read, wanted, { auth, guest: guestOf(guestCookie(guest)) });
    return { row, opens: true };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "link_ended") throw error;
    if (wanted.sessionToken !== undefined) throw error;
    const found = await roomOfCode(find, wanted.roomId);
    if (found?.isOver) return { row: found.row, opens: false };
    throw error;
  }
};
