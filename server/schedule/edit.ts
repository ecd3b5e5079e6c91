import { emailKey } from "../../contract/kit/fields.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import type { editSchedule as contract } from "../../contract/schedule/schedule.ts";
import { roomSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { RoomRow } from "../db/tables.ts";
import { uuid7 } from "../lib/id.ts";
import { refuseField } from "../lib/refusal.ts";
import { ownRoom } from "../meetings/state/links.ts";
import { roomOf } from "../records/rooms.ts";
import { daysWith, type Series, startOf, weekdayOf } from "../records/schedule-dates.ts";
import { columnsOf, findSchedule, type ScheduleRow } from "../records/schedules.ts";
import { activeAmong } from "../records/user-queries.ts";
import { inviteesOf, queueNotices, raise, removeSchedule } from "../rooms/follow-schedule.ts";
import { editRoom } from "../rooms/rooms.ts";

type Wanted = Checked<typeof contract>;

/** The dates that are asked for. @throws Refusal on repetition or startsAt */
const seriesOf = ({ startsAt, timeZone, minutes, repetition }: Wanted, at: string): Series => {
  const moment = new Date(at);
  // The calendar file and the texts of dates have years of four digits.
  if (startsAt === null || Number.isNaN(moment.getTime())) refuseField("startsAt", "not_date");
  const single = { startsAt: moment.toISOString(), timeZone, minutes, repetition: null };
  if (repetition === null) return single;
  const first = startOf(single);
  if (repetition.until !== undefined && repetition.until < first.toPlainDate().toString()) {
    refuseField("repetition", "ends_before_start");
  }
  if (repetition.every === "weekday" && first.dayOfWeek > 5) {
    refuseField("repetition", "not_on_weekday");
  }
  const days = repetition.every === "week" ? daysWith(repetition.days, weekdayOf(first)) : [];
  const { every, until = null, count = null } = repetition;
  return { ...single, repetition: { every, days, until, count } };
};

type EditedSettings = Parameters<typeof editRoom>[1]["changes"];

interface Invited {
  readonly user_id: string | null;
  readonly email: string | null;
  readonly invitee: string;
}

/**
 * Who is to be invited: each person and each address once. A caller without `admin` may not look people up, so
 * neither an ID nor an address tells that caller whose it is: only owners and people who are already invited by
 * name count as people.
 *
 * @throws Refusal on userIds
 */
const invitedBy = async (
  { tx, organization, caller }: Change,
  { userIds, emails }: Wanted,
  {
    current,
    owners,
  }: { readonly current: ReadonlySet<string>; readonly owners: readonly string[] },
): Promise<ReadonlyMap<string, Invited>> => {
  const isKnown = (id: string) => caller.admin || current.has(id) || owners.includes(id);
  const people = [...new Set(userIds)];
  const fresh = people.filter((id) => !current.has(id));
  const active = await activeAmong(tx, organization.id, fresh);
  if (fresh.some((id) => !active.has(id) || !isKnown(id))) {
    refuseField("userIds", "unknown_people");
  }
  const keys = new Map(emails.map((email) => [emailKey(email) ?? email, email]));
  const accounts = await tx
    .selectFrom("users")
    .select(["id", "email_key"])
    .where("organization_id", "=", organization.id)
    .where("gone_at", "is", null)
    .where("account_deleted", "=", false)
    .where("email_key", "in", ["", ...keys.keys()])
    .execute();
  for (const { id, email_key } of accounts) {
    // Somebody who is invited by address stays invited by address: a change of form would cancel it first.
    const stays = current.has(email_key) && !people.includes(id);
    if (stays || !isKnown(id)) continue;
    keys.delete(email_key);
    people.push(id);
  }
  return new Map<string, Invited>([
    ...people.map((id) => [id, { user_id: id, email: null, invitee: id }] as const),
    ...[...keys].map(([key, email]) => [key, { user_id: null, email, invitee: key }] as const),
  ]);
};

/** Writes the row of a schedule. @returns it, and whether calendars have to learn of a change */
const saveSchedule = async (
  change: Change,
  roomId: string,
  former: ScheduleRow | undefined,
  series: Series,
): Promise<{ readonly row: ScheduleRow; readonly changed: boolean }> => {
  const { tx, organization, now } = change;
  const columns = columnsOf(series, now);
  if (former === undefined) {
    const row = await tx
      .insertInto("schedules")
      .values({
        ...columns,
        room_id: roomId,
        organization_id: organization.id,
        uid: `${uuid7()}@parley`,
        sequence: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row, changed: false };
  }
  const changed = (["starts_at", "time_zone", "minutes", "repetition"] as const).some(
    (name) => String(former[name]) !== String(columns[name]),
  );
  return changed
    ? { row: await raise(change, former, columns), changed }
    : { row: former, changed };
};

type Current = Awaited<ReturnType<typeof inviteesOf>>;

/** Invites those who are new, tells those who stay of a change, and cancels for those who are removed. */
const invite = async (
  change: Change,
  { row, changed }: { readonly row: ScheduleRow; readonly changed: boolean },
  name: string,
  { current, wanted }: { readonly current: Current; readonly wanted: ReadonlyMap<string, Invited> },
): Promise<void> => {
  const { tx, organization, now } = change;
  const known = new Set(current.map(({ invitee }) => invitee));
  const gone = current.filter(({ invitee }) => !wanted.has(invitee));
  const kept = current.filter(({ invitee }) => wanted.has(invitee));
  const added = [...wanted.values()].filter(({ invitee }) => !known.has(invitee));
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id);
    await tx.deleteFrom("invitees").where("id", "in", ids).execute();
  }
  if (added.length > 0) {
    const rows = added.map((one) => ({
      ...one,
      letter_id: null,
      id: uuid7(),
      organization_id: organization.id,
      room_id: row.room_id,
    }));
    await tx.insertInto("invitees").values(rows).execute();
  }
  if (row.ends_at <= now) return;
  const newest = gone.length > 0 && !changed ? await raise(change, row) : row;
  await queueNotices(change, newest, name, "meeting-cancellation", gone);
  if (changed) await queueNotices(change, newest, name, "meeting-change", kept);
  await queueNotices(change, newest, name, "meeting-invitation", added);
};

/**
 * Schedules a room: its first date, how it repeats and who is invited.
 *
 * @throws Refusal `room_not_found`, also for a room that the caller does not see; on userIds, repetition
 */
export const editSchedule = async (change: Change, wanted: Wanted): Promise<RoomRow> => {
  const { tx, organization, caller } = change;
  const found = await ownRoom(tx, organization.id, caller, wanted.roomId);
  const room = roomOf(found);
  const current = await inviteesOf(tx, found.id);
  const series = wanted.startsAt === null ? undefined : seriesOf(wanted, wanted.startsAt);
  const invited = await invitedBy(change, wanted, {
    current: new Set(current.map(({ invitee }) => invitee)),
    owners: room.owners,
  });
  const before = await findSchedule(tx, found.id);
  // Before the room: its edit would otherwise move the former dates first.
  if (series === undefined) await removeSchedule(change, found);
  const saved = series && (await saveSchedule(change, found.id, before, series));
  const moves =
    (room.scheduledDateTime === null ? null : new Date(room.scheduledDateTime).toISOString()) !==
    (series?.startsAt ?? null);
  const row = moves
    ? await editRoom(change, {
        room: wanted.roomId,
        owners: [...room.owners],
        changes: { scheduledDateTime: wanted.startsAt } as EditedSettings,
        ifMatch: undefined,
      })
    : found;
  if (saved !== undefined) await invite(change, saved, room.name, { current, wanted: invited });
  if (before !== undefined || series !== undefined) {
    change.happened({
      kind: "roomScheduled",
      subject: roomSubject(room),
      after: {
        minutes: series?.minutes ?? null,
        timeZone: series?.timeZone ?? null,
        repetition: series?.repetition?.every ?? null,
        invited: series === undefined ? 0 : invited.size,
      },
    });
  }
  return row;
};
