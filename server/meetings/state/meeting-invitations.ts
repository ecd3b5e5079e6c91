import type { Queries } from "../../change/organization.ts";
import type { MeetingRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { nextOf, type Series } from "../../records/schedule-dates.ts";
import { findSchedule, plannedSeries, seriesOf } from "../../records/schedules.ts";

/*
 * Invitations that last until a meeting ends (0079). As with a link (link-end.ts), the visit of one person is no
 * meeting, and neither is one before the date for which people were invited.
 */

/** How long an invitation lasts at most whose meeting never comes, in milliseconds. */
export const LONGEST_MS = 366 * DAY_MS;

/** The first date of a room that was not over at a moment; null where there was none. */
const dateAt = (series: Series | undefined, moment: string): string | null =>
  series === undefined ? null : nextOf(series, moment);

/**
 * Ends the invitations that last until this meeting of two people: those made while it ran, and those made
 * before whose date has come.
 *
 * @param scheduledDateTime of the room
 * @param current the current time
 */
export const endInvitations = async (
  tx: Queries,
  { id, room_id }: Pick<MeetingRow, "id" | "room_id">,
  scheduledDateTime: string | null,
  current: string,
): Promise<void> => {
  const lasting = await tx
    .selectFrom("invitations")
    .select(["digest", "created_at"])
    .where("room_id", "=", room_id)
    .where("until_meeting", "=", true)
    .where("expires_at", ">", now())
    .execute();
  if (lasting.length === 0) return;
  const { opened_at } = await tx
    .selectFrom("meetings")
    .select("opened_at")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const row = scheduledDateTime === null ? undefined : await findSchedule(tx, room_id);
  const planned = scheduledDateTime === null ? undefined : plannedSeries(scheduledDateTime);
  const series = row ? seriesOf(row) : planned;
  const ended = lasting.filter(({ created_at }) => {
    const date = created_at >= opened_at ? null : dateAt(series, created_at);
    return date === null || Date.parse(date) <= Date.parse(current);
  });
  if (ended.length === 0) return;
  const digests = ended.map(({ digest }) => digest);
  await tx
    .updateTable("invitations")
    .set({ expires_at: now() })
    .where("digest", "in", digests)
    .execute();
};
