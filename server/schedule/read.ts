import { type Coming, MOST_INVITED, type Schedule } from "../../contract/schedule.ts";
import { now as currentTime } from "../db/now.ts";
import type { RoomRow } from "../db/tables.ts";
import { codeOf } from "../meetings/links.ts";
import type { Change, Organization, Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { seesRoom } from "../rooms/own.ts";
import { findRoom } from "../rooms/queries.ts";
import { roomOf } from "../rooms/stored.ts";
import { calendarOf, googleLinkOf, outlookLinkOf } from "./calendar.ts";
import { datesOf, endOf, nextOf } from "./dates.ts";
import { eventOf, findSchedule, type ScheduleRow, seriesOf } from "./stored.ts";

/** What the presenters need of the configuration. */
export interface Addresses {
  readonly publicUrl: string;
  readonly mailFrom: { readonly name: string; readonly address: string };
}

/** Where a room opens: by the link that it has, or by its ID. */
export const linkOf = async (
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
    .select(["i.user_id", "i.email", "u.name", "u.email as address", "u.gone_at"])
    .where("i.room_id", "=", room.id)
    .orderBy("i.id")
    .limit(2 * MOST_INVITED)
    .execute();
  const event = eventOf(row, room.name);
  const link = await linkOf(db, addresses, room);
  const { startsAt, timeZone, minutes, repetition } = event;
  return {
    roomId: room.room,
    roomName: room.name,
    ...{ startsAt, timeZone, minutes, repetition },
    nextAt: nextOf(event, new Date().toISOString()),
    lastEndsAt: row.ends_at,
    people: invited.flatMap(({ user_id, name, address, gone_at }) =>
      user_id === null || gone_at !== null
        ? []
        : { userId: user_id, name: name ?? "", email: address ?? "" },
    ),
    emails: invited.flatMap(({ email }) => email ?? []),
    googleLink: googleLinkOf(event, link),
    outlookLink: outlookLinkOf(event, link),
  };
};

/** A room's schedule. @throws Refusal `room_not_found`, also for a room that the caller does not see */
export const fetchSchedule = async (
  { id, read, caller }: Organization,
  addresses: Addresses,
  roomId: string,
): Promise<Schedule | null> => {
  const room = (await findRoom(read, id, roomId)) ?? refuse("room_not_found");
  if (!seesRoom(caller, roomOf(room).owners)) refuse("room_not_found");
  return presentSchedule(read, addresses, room);
};

/** The most dates that are shown as next. */
const MOST_COMING = 100;

/** What is next for the caller: the first to begin first. @throws Refusal `account_required` */
export const listComing = async ({ id, read, caller }: Organization): Promise<Coming[]> => {
  const userId = caller.userId ?? refuse("account_required");
  const rows = await read
    .selectFrom("schedules as s")
    .innerJoin("rooms as r", "r.id", "s.room_id")
    .selectAll("s")
    .select(["r.room", "r.name"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("room_owners as o")
          .select("o.room_id")
          .whereRef("o.room_id", "=", "r.id")
          .where("o.user_id", "=", userId),
      ).as("is_host"),
    )
    .where("s.organization_id", "=", id)
    .where("r.deleted_at", "is", null)
    .where("s.ends_at", ">", currentTime())
    .where(({ eb, or, selectFrom }) =>
      or([
        eb(
          "s.room_id",
          "in",
          selectFrom("room_owners").select("room_id").where("user_id", "=", userId),
        ),
        eb(
          "s.room_id",
          "in",
          selectFrom("invitees").select("room_id").where("user_id", "=", userId),
        ),
      ]),
    )
    .orderBy("s.starts_at")
    .limit(1000)
    .execute();
  const at = new Date().toISOString();
  return rows
    .flatMap((row) => comingOf(row, at))
    .sort((one, other) => (one.startsAt < other.startsAt ? -1 : 1))
    .slice(0, MOST_COMING);
};

type Listed = ScheduleRow & Pick<RoomRow, "room" | "name"> & { readonly is_host: unknown };

const comingOf = (row: Listed, at: string): Coming[] => {
  const series = seriesOf(row);
  const startsAt = nextOf(series, at);
  if (startsAt === null) return [];
  return [
    {
      roomId: row.room,
      roomName: row.name,
      startsAt,
      endsAt: endOf(series, startsAt),
      timeZone: series.timeZone,
      repeats: datesOf(series).length > 1,
      isHost: Boolean(row.is_host),
    },
  ];
};

/**
 * A room's dates as an iCalendar file, for those who see the room and for the people whom it invites.
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
    (await read
      .selectFrom("invitees")
      .select("id")
      .where("room_id", "=", room.id)
      .where("user_id", "=", caller.userId)
      .executeTakeFirst()) !== undefined;
  if (!isInvited && !seesRoom(caller, roomOf(room).owners)) refuse("room_not_found");
  const row = (await findSchedule(read, room.id)) ?? refuse("not_scheduled");
  const link = await linkOf(read, addresses, room);
  return calendarOf(eventOf(row, room.name), { link, organizer: addresses.mailFrom }).text;
};
