import { emailKey } from "../../contract/kit/fields.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import { isByWeekday } from "../../contract/kit/plain.ts";
import type { editSchedule as contract } from "../../contract/schedule/schedule.ts";
import { type Expected, hasSeatsFor, tooFewSeats } from "../../contract/schedule/seats.ts";
import { roomSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { RoomRow } from "../db/tables.ts";
import { uuid7 } from "../lib/id.ts";
import { refuseField } from "../lib/refusal.ts";
import { ownRoom } from "../meetings/state/links.ts";
import { roomOf } from "../records/rooms.ts";
import { daysWith, type Series, startOf, weekdayOf } from "../records/schedule-dates.ts";
import {
  findSchedule,
  type ScheduleRow,
  scheduleColumnsOf,
  scheduleFacts,
  seriesOf,
} from "../records/schedules.ts";
import { activeAmong } from "../records/user-queries.ts";
import {
  forgetRemoved,
  inviteesOf,
  isOver,
  queueNotices,
  raise,
  takeDatesAway,
} from "../rooms/follow-schedule.ts";
import { editRoom } from "../rooms/rooms.ts";

type Wanted = Checked<typeof contract>;

/** The dates that are asked for. @throws Refusal on repetition or startsAt */
const wantedSeries = ({ startsAt, timeZone, minutes, repetition }: Wanted, at: string): Series => {
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
  const days = isByWeekday(repetition.every) ? daysWith(repetition.days, weekdayOf(first)) : [];
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
 * The people to invite: each person and each address once. A caller without `admin` may not look people up, so
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
    // A person invited by address stays invited by address: a change of form would first cancel it.
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
  const columns = scheduleColumnsOf(series, now);
  if (former === undefined) {
    await forgetRemoved(change, roomId);
    const row = await tx
      .insertInto("schedules")
      .values({
        ...columns,
        room_id: roomId,
        organization_id: organization.id,
        uid: `${uuid7()}@parley`,
        sequence: 0,
        removed_at: null,
        former: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row, changed: false };
  }
  const changed = (["starts_at", "time_zone", "minutes", "repetition"] as const).some(
    (name) => String(former[name]) !== String(columns[name]),
  );
  return changed
    ? { row: await raise(change, former, { ...columns, former: null }), changed }
    : { row: former, changed };
};

const expectedIn = (
  owners: readonly string[],
  invited: ReadonlyMap<string, Invited>,
): Expected => ({
  owners,
  userIds: [...invited.values()].flatMap(({ user_id }) => user_id ?? []),
  emails: [...invited.values()].flatMap(({ email }) => email ?? []),
});

type Current = Awaited<ReturnType<typeof inviteesOf>>;

/** Invites those who are new, tells those who stay of a change, and cancels for those who are removed. */
const invite = async (
  change: Change,
  { row, changed }: { readonly row: ScheduleRow; readonly changed: boolean },
  name: string,
  {
    before = row,
    current,
    wanted,
  }: {
    readonly before: ScheduleRow | undefined;
    readonly current: Current;
    readonly wanted: ReadonlyMap<string, Invited>;
  },
): Promise<void> => {
  const { tx, organization } = change;
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
  if (isOver(change, before, row)) return;
  const newest = gone.length > 0 && !changed ? await raise(change, row) : row;
  await queueNotices(change, newest, name, "meeting-cancellation", gone);
  if (changed) await queueNotices(change, newest, name, "meeting-change", kept);
  if (!isOver(change, row)) await queueNotices(change, newest, name, "meeting-invitation", added);
};

/**
 * Schedules a room: its first date, how it repeats and who is invited.
 *
 * @param note gets the text of the answer about people who may find no seat
 * @throws Refusal `room_not_found`, also for a room that the caller does not see; on userIds, repetition
 */
export const editSchedule = async (
  change: Change,
  wanted: Wanted,
  note: (text: string) => void = () => {},
): Promise<RoomRow> => {
  const { tx, organization, caller } = change;
  const found = await ownRoom(tx, organization.id, caller, wanted.roomId);
  const room = roomOf(found);
  const before = await findSchedule(tx, found.id);
  const current = before === undefined ? [] : await inviteesOf(tx, found.id);
  const series = wanted.startsAt === null ? undefined : wantedSeries(wanted, wanted.startsAt);
  const invited = await invitedBy(change, wanted, {
    current: new Set(current.map(({ invitee }) => invitee)),
    owners: room.owners,
  });
  // Before the room: its edit would otherwise move the former dates first.
  if (series === undefined) await takeDatesAway(change, found);
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
  if (saved !== undefined) {
    await invite(change, saved, room.name, { before, current, wanted: invited });
    if (!hasSeatsFor(room, expectedIn(room.owners, invited))) note(tooFewSeats);
  }
  if (before !== undefined || series !== undefined) {
    change.happened({
      kind: "roomScheduled",
      subject: roomSubject(room),
      ...(before && { before: scheduleFacts(seriesOf(before), current.length) }),
      after: scheduleFacts(series, invited.size),
    });
  }
  return row;
};
