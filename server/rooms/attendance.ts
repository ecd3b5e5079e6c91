import type { RoomRow } from "../db/tables.ts";
import { type Attendee, findOpenMeeting, saveMeeting, statusOf } from "../meetings/meetings.ts";
import type { Change } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { findRoom } from "./queries.ts";
import { seatsOf } from "./rooms.ts";
import { columnsOf, roomOf } from "./stored.ts";

/**
 * Lets somebody into a room. The record's status follows; `updatedAt` stays as it is.
 *
 * @throws Refusal `room_not_found`
 */
export const enterRoom = async (
  change: Change,
  id: string,
  attendee: Omit<Attendee, "since">,
): Promise<void> => {
  const row = (await findRoom(change.tx, change.organization.id, id)) ?? refuse("room_not_found");
  const meeting = await findOpenMeeting(change.tx, row.id);
  const others = (meeting?.inside ?? []).filter(({ person }) => person !== attendee.person);
  await attend(change, row, [...others, { ...attendee, since: change.now }]);
};

/**
 * Lets somebody out of a room. With the last one the meeting ends, its time is added to the room's,
 * and a room that awaits its deletion is removed with its settings and meeting history.
 *
 * @throws Refusal `room_not_found`
 */
export const leaveRoom = async (change: Change, id: string, person: string): Promise<void> => {
  const row =
    (await change.tx
      .selectFrom("rooms")
      .selectAll()
      .where("organization_id", "=", change.organization.id)
      .where("room", "=", id)
      .executeTakeFirst()) ?? refuse("room_not_found");
  const meeting = await findOpenMeeting(change.tx, row.id);
  const left = (meeting?.inside ?? []).filter((attendee) => attendee.person !== person);
  if (left.length === 0 && row.deleted_at !== null) {
    await change.tx.deleteFrom("rooms").where("id", "=", row.id).execute();
    return;
  }
  await attend(change, row, left);
};

const attend = async (
  { tx, organization, now }: Change,
  row: RoomRow,
  inside: readonly Attendee[],
): Promise<void> => {
  const meeting = await findOpenMeeting(tx, row.id);
  if (!meeting && inside.length === 0) return;
  await saveMeeting(tx, { organizationId: organization.id, roomId: row.id, now }, meeting, inside);
  const room = roomOf(row);
  const seconds =
    meeting && inside.length === 0
      ? Math.max(0, Math.round((Date.parse(now) - Date.parse(meeting.startedAt)) / 1000))
      : 0;
  await tx
    .updateTable("rooms")
    .set(
      columnsOf({
        ...room,
        roomStatus: statusOf(inside, seatsOf(room)),
        totalCallTime: room.totalCallTime + seconds,
      }),
    )
    .where("id", "=", row.id)
    .execute();
};
