import type { Change } from "../change/organization.ts";
import type { RoomRow } from "../db/tables.ts";
import type { Message } from "../meetings/seats/messages.ts";
import type { Inside } from "../meetings/state/inside.ts";
import { ownRoom } from "../meetings/state/links.ts";
import { findOpenMeeting, heldRoom } from "../meetings/state/open-meeting.ts";

/** The name of the caller, as others see it. */
const nameOf = async ({ tx, caller }: Change): Promise<string> => {
  if (caller.userId === null) return "An administrator";
  const person = await tx
    .selectFrom("users")
    .select("name")
    .where("id", "=", caller.userId)
    .executeTakeFirst();
  return person?.name ?? "An administrator";
};

/** The result of a command from outside. */
export interface Acted<Result> {
  readonly result: Result;
  /** The messages to send after the commit. */
  readonly messages: readonly Message[];
}

/**
 * Acts in a room from outside: administrators and access keys in any room, owners in their own.
 *
 * @param act called with the running meeting
 * @param alone called if there is no meeting
 * @throws Refusal `room_not_found`, and those of both
 */
export const actInRoom = async <Result>(
  change: Change,
  roomId: string,
  act: (inside: Inside) => Promise<Result>,
  alone: (row: RoomRow) => Promise<Result> | Result,
): Promise<Acted<Result>> => {
  const { tx, organization, caller } = change;
  const row = await ownRoom(tx, organization.id, caller, roomId);
  const meeting = await findOpenMeeting(tx, row.id);
  const messages: Message[] = [];
  if (!meeting) return { result: await alone(row), messages };
  const tell: Inside["tell"] = (seatId, message) =>
    messages.push({ meetingId: meeting.id, seatId, message });
  const by = await nameOf(change);
  const result = await act({ change, room: heldRoom(row, meeting), meeting, by, tell });
  return { result, messages };
};
