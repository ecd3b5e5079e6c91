import type { PageInput } from "../../contract/kit/pages.ts";
import {
  type Coming,
  MOST_INVITED,
  type NextDate,
  type Schedule,
} from "../../contract/schedule/schedule.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { now as currentTime } from "../db/now.ts";
import type { LetterRow, RoomRow } from "../db/tables.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { refuse } from "../lib/refusal.ts";
import { codeOf, ownRoom } from "../meetings/state/links.ts";
import { calendarOf, googleLinkOf, outlookLinkOf } from "../records/calendar.ts";
import { seesRoom } from "../records/own-rooms.ts";
import { findRoom } from "../records/room-queries.ts";
import { roomOf } from "../records/rooms.ts";
import { datesOf, endOf, nextOf, type Series } from "../records/schedule-dates.ts";
import {
  calendarEventOf,
  eventOfRoom,
  findSchedule,
  plannedSeries,
  seriesOf,
} from "../records/schedules.ts";

/** The part of the configuration that the presenters need. */
export interface Addresses {
  readonly publicUrl: string;
  readonly mailFrom: { readonly name: string; readonly address: string };
}

/** Where a room opens: by the link that it has, or by its ID. */
export const roomLinkOf = async (
  db: Queries,
  { publicUrl }: Pick<Addresses, "publicUrl">,
  room: Pick<RoomRow, "id" | "room">,
): Promise<string> => {
  const link = await db
    .selectFrom("room_links")
    .select("code")
    .where("room_id", "=", room.id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return `${publicUrl}/m/${link?.code ?? encodeURIComponent(room.room)}`;
};

/** Where a room opens for everybody; makes its link where it has none. */
export const openLinkOf = async (
  change: Change,
  { publicUrl }: Pick<Addresses, "publicUrl">,
  room: Pick<RoomRow, "id" | "room" | "name">,
): Promise<string> => `${publicUrl}/m/${await codeOf(change, room, false)}`;

interface Invitation {
  readonly letter_id: string | null;
  readonly state: LetterRow["state"] | null;
  readonly sent_to: LetterRow["sent_to"];
  readonly is_queued: unknown;
}

/** How the email stands that told somebody of the dates last; one that is no longer kept was sent. */
const stateOf = ({ letter_id, state, sent_to, is_queued }: Invitation) => {
  if (is_queued || state === "waiting") return "waiting" as const;
  if (letter_id === null) return null;
  if (state === "refused" || state === "withdrawn") return "refused" as const;
  return sent_to === "file" ? ("file" as const) : ("sent" as const);
};

/** A room's schedule as its hosts see it; null where there is none. */
export const presentSchedule = async (
  db: Queries,
  addresses: Addresses,
  room: Pick<RoomRow, "id" | "room" | "name">,
): Promise<Schedule | null> => {
  const row = await findSchedule(db, room.id);
  if (row === undefined) return null;
  const invited = await db
    .selectFrom("invitees as i")
    .leftJoin("users as u", "u.id", "i.user_id")
    .leftJoin("letters as l", "l.id", "i.letter_id")
    .select(["i.user_id", "i.email", "u.name", "u.email as address", "u.gone_at"])
    .select(["i.letter_id", "l.state", "l.sent_to"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("notices as n")
          .select("n.id")
          .where("n.uid", "=", row.uid)
          .where("n.topic", "=", "calendar")
          .whereRef("n.invitee", "=", "i.invitee"),
      ).as("is_queued"),
    )
    .where("i.room_id", "=", room.id)
    .orderBy("i.id")
    .limit(2 * MOST_INVITED)
    .execute();
  const event = calendarEventOf(row, room.name);
  const link = await roomLinkOf(db, addresses, room);
  const { startsAt, timeZone, minutes, repetition } = event;
  return {
    roomId: room.room,
    roomName: room.name,
    startsAt,
    timeZone,
    minutes,
    repetition,
    nextAt: nextOf(event, new Date().toISOString()),
    lastEndsAt: row.ends_at,
    people: invited.flatMap(({ user_id, name, address, gone_at }) =>
      user_id === null || gone_at !== null
        ? []
        : { userId: user_id, name: name ?? "", email: address ?? "" },
    ),
    emails: invited.flatMap(({ email }) => email ?? []),
    invitations: invited.flatMap((one) =>
      one.gone_at !== null ? [] : { email: one.email ?? one.address ?? "", state: stateOf(one) },
    ),
    googleLink: googleLinkOf(event, link),
    outlookLink: outlookLinkOf(event, link),
  };
};

/** A room's schedule. @throws Refusal `room_not_found`, also for a room that the caller does not see */
export const fetchSchedule = async (
  { id, read, caller }: Organization,
  addresses: Addresses,
  roomId: string,
): Promise<Schedule | null> =>
  presentSchedule(read, addresses, await ownRoom(read, id, caller, roomId));

/** The number of rooms whose next dates are computed. */
const MOST_COMING = 1000;

/** The people and addresses that stand for the caller among those who are invited. */
const asInvited = (db: Queries, userId: string) =>
  db
    .selectFrom("invitees as i")
    .innerJoin("users as u", (join) => join.on("u.id", "=", userId))
    .innerJoin("schedules as d", (join) =>
      join.onRef("d.room_id", "=", "i.room_id").on("d.removed_at", "is", null),
    )
    .where(({ or, eb }) =>
      or([eb("i.user_id", "=", userId), eb("i.invitee", "=", eb.ref("u.email_key"))]),
    );

/** The rooms with a date that comes, or is not over, and that the caller owns or is invited to. */
const roomsToCome = async ({ id, read }: Organization, userId: string) => {
  const hosted = read.selectFrom("room_owners").select("room_id").where("user_id", "=", userId);
  const invited = asInvited(read, userId).where("i.organization_id", "=", id).select("i.room_id");
  return read
    .selectFrom("rooms as r")
    .leftJoin("schedules as s", (join) =>
      join.onRef("s.room_id", "=", "r.id").on("s.removed_at", "is", null),
    )
    .select(["r.id", "r.room", "r.name", "r.planned_at"])
    .select(["s.starts_at", "s.time_zone", "s.minutes", "s.repetition"])
    .select((eb) => [
      eb("r.id", "in", hosted).as("is_host"),
      eb("r.id", "in", invited).as("is_invited"),
    ])
    .where("r.organization_id", "=", id)
    .where("r.deleted_at", "is", null)
    .where((eb) => eb("r.id", "in", hosted.union(invited)))
    .where(({ or, eb, and }) =>
      or([
        eb("s.ends_at", ">", currentTime()),
        and([eb("s.room_id", "is", null), eb("r.planned_at", ">", currentTime(-HOUR_MS))]),
      ]),
    )
    .orderBy(({ fn }) => fn.coalesce("s.remind_at", "r.planned_at"))
    .limit(MOST_COMING)
    .execute();
};

/**
 * The caller's next dates: a page of them, the first to begin first.
 *
 * @throws Refusal `account_required`
 */
export const listComing = async (
  organization: Organization,
  { page, limit }: Pick<PageInput, "page" | "limit">,
): Promise<{ readonly dates: Coming[]; readonly total: number }> => {
  const userId = organization.caller.userId ?? refuse("account_required");
  const at = new Date().toISOString();
  const dates = (await roomsToCome(organization, userId))
    .flatMap((row) => comingOf(row, at))
    .sort(
      (one, other) => Number(one.startsAt > other.startsAt) - Number(one.startsAt < other.startsAt),
    );
  return { dates: dates.slice((page - 1) * limit, page * limit), total: dates.length };
};

type Listed = Awaited<ReturnType<typeof roomsToCome>>[number];

/** The dates of a room: of its schedule, or an hour in UTC. */
const seriesToCome = ({
  starts_at,
  time_zone,
  minutes,
  repetition,
  planned_at,
}: Listed): Series | undefined => {
  if (starts_at !== null && time_zone !== null && minutes !== null) {
    return seriesOf({ starts_at, time_zone, minutes, repetition });
  }
  return planned_at === null ? undefined : plannedSeries(planned_at);
};

const comingOf = (row: Listed, at: string): Coming[] => {
  const series = seriesToCome(row);
  const startsAt = series && nextOf(series, at);
  if (!startsAt) return [];
  return [
    {
      roomId: row.room,
      roomName: row.name,
      startsAt,
      endsAt: endOf(series, startsAt),
      timeZone: series.timeZone,
      repeats: datesOf(series).length > 1,
      isHost: Boolean(row.is_host),
      isInvited: Boolean(row.is_invited),
    },
  ];
};

/**
 * A room's dates as an iCalendar file, for those who see the room and for invited people.
 *
 * @throws Refusal `room_not_found`, `not_scheduled`
 */
export const calendarFile = async (
  { id, read, caller }: Organization,
  addresses: Addresses,
  roomId: string,
): Promise<string> => {
  const room = (await findRoom(read, id, roomId)) ?? refuse("room_not_found");
  const isInvited =
    caller.userId !== null &&
    (await asInvited(read, caller.userId)
      .select("i.id")
      .where("i.room_id", "=", room.id)
      .executeTakeFirst()) !== undefined;
  if (!isInvited && !seesRoom(caller, roomOf(room).owners)) refuse("room_not_found");
  const event = (await eventOfRoom(read, room)) ?? refuse("not_scheduled");
  const link = await roomLinkOf(read, addresses, room);
  return calendarOf(event, { link, organizer: addresses.mailFrom }).text;
};

/** When a room is used next, for people who have its link; null after the last date. */
export const nextDate = async (
  db: Queries,
  { mailFrom: organizer }: Pick<Addresses, "mailFrom">,
  { row, link }: { readonly row: RoomRow; readonly link: string | undefined },
): Promise<NextDate | null> => {
  const event = await eventOfRoom(db, row);
  const startsAt = event && nextOf(event, new Date().toISOString());
  if (!startsAt) return null;
  return {
    startsAt,
    endsAt: endOf(event, startsAt),
    timeZone: event.timeZone,
    calendar: calendarOf(event, { link, organizer }).text,
    opens: link !== undefined,
  };
};
