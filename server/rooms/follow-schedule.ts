import type { Selectable } from "kysely";
import type { Room } from "../../contract/rooms/record.ts";
import type { Change, Queries } from "../change/organization.ts";
import { now as currentTime } from "../db/now.ts";
import { piecesOf } from "../db/pieces.ts";
import type { InviteesTable, NoticesTable } from "../db/schedule-tables.ts";
import type { RoomRow } from "../db/tables.ts";
import { keptSince } from "../history/retention.ts";
import { uuid7 } from "../lib/id.ts";
import { movedRepetition, type Series } from "../records/schedule-dates.ts";
import {
  calendarEventOf,
  findSchedule,
  type ScheduleRow,
  scheduleColumnsOf,
  seriesOf,
} from "../records/schedules.ts";

/* Carries a change of a room over to its dates and to the people who are invited. */

type Kind = NoticesTable["kind"];
type Recipient = Pick<Selectable<InviteesTable>, "user_id" | "email" | "invitee">;

/** Few enough rows for one statement. */
const PIECE = 100;

/**
 * Queues emails about a room's dates. What was queued before and is not posted yet is replaced: many changes
 * in a row are one email, and an invitation that nobody got needs no cancellation.
 */
export const queueNotices = async (
  { tx, organization, leaveWork }: Pick<Change, "tx" | "organization" | "leaveWork">,
  row: ScheduleRow,
  name: string,
  kind: Kind,
  recipients: readonly Recipient[],
): Promise<void> => {
  const topic = kind === "meeting-reminder" ? "reminder" : "calendar";
  for (const piece of piecesOf(recipients, PIECE)) {
    const replaced = await tx
      .deleteFrom("notices")
      .where("uid", "=", row.uid)
      .where("topic", "=", topic)
      .where(
        "invitee",
        "in",
        piece.map(({ invitee }) => invitee),
      )
      .returning(["invitee", "kind"])
      .execute();
    const waited = new Map(replaced.map((one) => [one.invitee, one.kind]));
    const rows = piece.flatMap((recipient) => {
      const isNew = waited.get(recipient.invitee) === "meeting-invitation";
      if (isNew && kind === "meeting-cancellation") return [];
      return {
        id: uuid7(),
        organization_id: organization.id,
        user_id: recipient.user_id,
        email: recipient.email,
        invitee: recipient.invitee,
        uid: row.uid,
        topic,
        kind: isNew ? ("meeting-invitation" as const) : kind,
        event: JSON.stringify({ ...calendarEventOf(row, name), roomId: row.room_id }),
        due_at: currentTime(),
      } as const;
    });
    if (rows.length > 0) await tx.insertInto("notices").values(rows).execute();
  }
  if (recipients.length > 0) leaveWork("chores");
};

/** The people who are invited to a room. */
export const inviteesOf = (db: Queries, roomId: string): Promise<Selectable<InviteesTable>[]> =>
  db.selectFrom("invitees").selectAll().where("room_id", "=", roomId).orderBy("id").execute();

/** Raises the sequence of a schedule, with what changes. @returns the row as it is now */
export const raise = ({ tx }: Change, row: ScheduleRow, values: Partial<ScheduleRow> = {}) =>
  tx
    .updateTable("schedules")
    .set({ ...values, sequence: Number(row.sequence) + 1 })
    .where("room_id", "=", row.room_id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Sends cancellations to everybody who is invited, unless the last date is over; the schedule gets these values. */
const cancelAll = async (
  change: Change,
  room: Pick<RoomRow, "id" | "name">,
  values?: Partial<ScheduleRow>,
): Promise<void> => {
  const row = await findSchedule(change.tx, room.id);
  if (row === undefined) return;
  const raised = await raise(change, row, values);
  if (!isOver(change, row)) {
    const invited = await inviteesOf(change.tx, room.id);
    await queueNotices(change, raised, room.name, "meeting-cancellation", invited);
  }
};

/** Tells everybody who is invited that a room is deleted, or in the bin. Its schedule stays as long as the row. */
export const cancelDates = (change: Change, room: Pick<RoomRow, "id" | "name">): Promise<void> =>
  cancelAll(change, room);

/** Invites everybody again to a room that is back from the bin. */
export const resumeDates = async (
  change: Change,
  room: Pick<RoomRow, "id" | "name">,
): Promise<void> => {
  const row = await findSchedule(change.tx, room.id);
  if (row === undefined) return;
  const raised = await raise(change, row, {
    remind_at: scheduleColumnsOf(seriesOf(row), change.now).remind_at,
  });
  if (isOver(change, row)) return;
  const invited = await inviteesOf(change.tx, room.id);
  await queueNotices(change, raised, room.name, "meeting-invitation", invited);
};

/** Takes the dates of a room away, and the invitations; both are kept until the room has another date. */
export const takeDatesAway = (change: Change, room: Pick<RoomRow, "id" | "name">): Promise<void> =>
  cancelAll(change, room, { removed_at: change.now, remind_at: null });

/** Forgets the dates of a room that were taken away, and who was invited to them. */
export const forgetRemoved = async ({ tx }: Change, roomId: string): Promise<void> => {
  const [forgotten] = await tx
    .deleteFrom("schedules")
    .where("room_id", "=", roomId)
    .where("removed_at", "is not", null)
    .returning("room_id")
    .execute();
  if (forgotten === undefined) return;
  await tx.deleteFrom("invitees").where("room_id", "=", roomId).execute();
};

/**
 * Forgets dates that were taken away before the first entry that the history keeps: nothing takes that back.
 *
 * @returns whether there may be more
 */
export const forgetOldDates = async (change: Change): Promise<boolean> => {
  const since = keptSince(change);
  if (since === undefined) return false;
  const old = await change.tx
    .selectFrom("schedules")
    .select("room_id")
    .where("organization_id", "=", change.organization.id)
    .where("removed_at", "<", since)
    .limit(PIECE)
    .execute();
  for (const { room_id } of old) await forgetRemoved(change, room_id);
  return old.length === PIECE;
};

/** Gives a room the dates back that were taken away, and invites everybody again. */
export const bringDatesBack = async (
  change: Change,
  room: Pick<RoomRow, "id" | "name">,
): Promise<void> => {
  const [brought] = await change.tx
    .updateTable("schedules")
    .set({ removed_at: null })
    .where("room_id", "=", room.id)
    .where("removed_at", "is not", null)
    .returning("room_id")
    .execute();
  if (brought !== undefined) await resumeDates(change, room);
};

/** The dates of a room that moves: as they were before, if that is where they move. */
const movedSeries = (row: ScheduleRow, startsAt: string) => {
  const series = seriesOf(row);
  const former: Pick<Series, "startsAt" | "repetition"> | null = JSON.parse(row.former ?? "null");
  return former?.startsAt === startsAt
    ? { ...series, ...former }
    : { ...series, startsAt, repetition: movedRepetition(series, startsAt) };
};

/** Follows an edit of a room: its dates move with scheduledDateTime, and go without it. */
export const followRoom = async (
  change: Change,
  id: string,
  before: Pick<Room, "name">,
  room: Pick<Room, "name" | "scheduledDateTime">,
): Promise<void> => {
  const row = await findSchedule(change.tx, id);
  if (row === undefined) {
    if (room.scheduledDateTime !== null) await forgetRemoved(change, id);
    return;
  }
  if (room.scheduledDateTime === null) {
    await takeDatesAway(change, { id, name: room.name });
    return;
  }
  const startsAt = new Date(room.scheduledDateTime).toISOString();
  const moves = startsAt !== row.starts_at;
  if (!moves && before.name === room.name) return;
  const { startsAt: from, repetition } = seriesOf(row);
  const raised = await raise(change, row, {
    ...scheduleColumnsOf(moves ? movedSeries(row, startsAt) : seriesOf(row), change.now),
    ...(moves && { former: JSON.stringify({ startsAt: from, repetition }) }),
  });
  if (isOver(change, row, raised)) return;
  await queueNotices(change, raised, room.name, "meeting-change", await inviteesOf(change.tx, id));
};

/** Returns whether a change of dates concerns nobody any more: all dates were over before it, and are over after it. */
export const isOver = ({ now }: Pick<Change, "now">, ...rows: readonly ScheduleRow[]): boolean =>
  rows.every(({ ends_at }) => ends_at <= now);

/** Tells everybody who is invited where the room opens since its former link has ended. */
export const followLink = async (
  change: Change,
  room: Pick<RoomRow, "id" | "name">,
): Promise<void> => {
  const row = await findSchedule(change.tx, room.id);
  if (row === undefined || isOver(change, row)) return;
  const invited = await inviteesOf(change.tx, room.id);
  if (invited.length === 0) return;
  await queueNotices(change, await raise(change, row), room.name, "meeting-change", invited);
};
