import type { Selectable } from "kysely";
import type { Queries } from "../change/organization.ts";
import type { SchedulesTable } from "../db/schedule-tables.ts";
import type { RoomRow } from "../db/tables.ts";
import type { CalendarEvent } from "./calendar.ts";
import { datesOf, lastEndOf, nextOf, type Series } from "./schedule-dates.ts";

export type ScheduleRow = Selectable<SchedulesTable>;

/** How long before a date its reminder is sent. */
export const REMINDER_MS = 15 * 60_000;

/** The dates of a row. */
export const seriesOf = (
  row: Pick<ScheduleRow, "starts_at" | "time_zone" | "minutes" | "repetition">,
): Series => ({
  startsAt: row.starts_at,
  timeZone: row.time_zone,
  minutes: Number(row.minutes),
  repetition: JSON.parse(row.repetition ?? "null"),
});

/** The dates of a room that was planned without a schedule: one, of an hour. */
export const plannedSeries = (plannedAt: string): Series => ({
  startsAt: plannedAt,
  timeZone: "UTC",
  minutes: 60,
  repetition: null,
});

/** The fields of a row for calendars. */
export const calendarEventOf = (row: ScheduleRow, name: string): CalendarEvent => ({
  ...seriesOf(row),
  uid: row.uid,
  sequence: Number(row.sequence),
  name,
});

/** The dates of a room, for calendars; undefined for a room without any. */
export const eventOfRoom = async (
  db: Queries,
  room: Pick<RoomRow, "id" | "name" | "planned_at">,
): Promise<CalendarEvent | undefined> => {
  const row = await findSchedule(db, room.id);
  if (row !== undefined) return calendarEventOf(row, room.name);
  if (room.planned_at === null) return undefined;
  const uid = `${room.id}@parley`;
  return { ...plannedSeries(room.planned_at), uid, sequence: 0, name: room.name };
};

/** When the next reminder is due whose date has not begun. */
export const nextReminder = (series: Series, now: string): string | null => {
  const soon = new Date(Date.parse(now) + REMINDER_MS).toISOString();
  const next = datesOf(series).find((date) => date > soon);
  return next === undefined ? null : new Date(Date.parse(next) - REMINDER_MS).toISOString();
};

/** The columns that follow from the dates. */
export const scheduleColumnsOf = (series: Series, now: string) => ({
  starts_at: series.startsAt,
  time_zone: series.timeZone,
  minutes: series.minutes,
  repetition: series.repetition === null ? null : JSON.stringify(series.repetition),
  ends_at: lastEndOf(series),
  remind_at: nextReminder(series, now),
});

/** The schedule of a room; undefined also if its dates were taken away. */
export const findSchedule = (db: Queries, roomId: string): Promise<ScheduleRow | undefined> =>
  db
    .selectFrom("schedules")
    .selectAll()
    .where("room_id", "=", roomId)
    .where("removed_at", "is", null)
    .executeTakeFirst();

/** The facts about a schedule in the history. */
export const scheduleFacts = (
  series: Pick<Series, "minutes" | "timeZone" | "repetition"> | undefined,
  invited: number,
) => ({
  minutes: series?.minutes ?? null,
  timeZone: series?.timeZone ?? null,
  repetition: series?.repetition?.every ?? null,
  invited: series === undefined ? 0 : invited,
});

/** When the last date of a room is over; null where it was not scheduled. */
export const seriesEnd = async (db: Queries, roomId: string): Promise<string | null> =>
  (await findSchedule(db, roomId))?.ends_at ?? null;

/**
 * When people meet next in a room whose scheduledDateTime this is: the date of a series that is not over, or
 * the one that is set.
 */
export const nextDateOf = async (
  db: Queries,
  roomId: string,
  scheduledDateTime: string | null,
): Promise<string | null> => {
  if (scheduledDateTime === null) return null;
  const row = await findSchedule(db, roomId);
  const next = row && nextOf(seriesOf(row), new Date().toISOString());
  return next && Date.parse(next) !== Date.parse(scheduledDateTime) ? next : scheduledDateTime;
};
