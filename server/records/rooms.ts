import { type RawBuilder, sql } from "kysely";
import {
  presentExtras,
  presentRoom,
  ROOM_FORM,
  type Room,
  readRoom,
} from "../../contract/rooms/record.ts";
import type { RoomRow } from "../db/tables.ts";
import { fold, naturalKey } from "../lib/fold.ts";
import { leastRecentlyUsed } from "../lib/lru.ts";

/** A room's `scheduledDateTime` as the tables have times; null where calendars cannot show its year. */
const plannedAt = (scheduledDateTime: string | null): string | null => {
  const moment = new Date(scheduledDateTime ?? Number.NaN);
  const text = Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
};

/** How much of a type an index keeps: all of those that are documented. */
const TYPE = 16;

type Listed = Pick<Room, "name" | "roomType" | "roomStatus" | "scheduledDateTime">;

/** In which order a list by status shows them: what is in use comes first. */
const places: Readonly<Record<string, string>> = { occupied: "0", busy: "1", free: "2" };

/** The columns by which lists order and filter rooms, besides the name as `fold` folds it. */
export const listedBy = ({ name, roomType, roomStatus, scheduledDateTime }: Listed) => {
  const order_key = naturalKey(name);
  return {
    order_key,
    type: roomType.slice(0, TYPE),
    state: roomStatus,
    planned_at: plannedAt(scheduledDateTime),
    use_key: `${places[roomStatus] ?? "2"}${order_key}`,
  };
};

/** The columns derived from a room: always written together. */
export const roomColumnsOf = (room: Room) => ({
  room: room.room,
  name: room.name,
  name_key: fold(room.name),
  ...listedBy(room),
  updated_at: room.updatedAt,
  form: ROOM_FORM,
  record: JSON.stringify(presentRoom(room)),
  extras: JSON.stringify(presentExtras(room)),
});

/** The rooms that were read last: a join, or a look at a meeting, reads the same one again and again. */
const read = leastRecentlyUsed<string, Room>(100);

/** The room of a row. */
export const roomOf = ({ record, extras }: Pick<RoomRow, "record" | "extras">): Room => {
  const text = record + extras;
  const known = read.get(text);
  if (known !== undefined) return known;
  const room = Object.freeze(readRoom(record, extras));
  read.set(text, room);
  return room;
};

/**
 * The former owners of an organization: deleted people whom some rooms still name. IDs joined by
 * commas; null if there are none, which is nearly always so, because most people in the bin own no room.
 *
 * @param organizationId a column or a value
 */
export const formerOwners = (organizationId: RawBuilder<string>): RawBuilder<string | null> => sql`(
  select string_agg(former.id, ',') from users as former
  where former.organization_id = ${organizationId} and former.gone_at is not null
    and (exists (select 1 from room_owners as named where named.user_id = former.id)
      or exists (select 1 from rooms as made where made.created_by = former.id)))`;

/** A record without these owners. */
export const withoutOwners = (record: string, former: string): string => {
  const stored = JSON.parse(record);
  const gone = new Set(former.split(","));
  const left = stored.roomOwnerId.split(",").filter((owner: string) => !gone.has(owner));
  return JSON.stringify({ ...stored, roomOwnerId: left.join(",") });
};

/** A row without former people, neither as owners nor as creator. */
export const withoutFormer = <Row extends Pick<RoomRow, "record" | "created_by">>(
  row: Row,
  former: string | null,
): Row => {
  if (former === null) return row;
  const created_by = former.split(",").includes(row.created_by ?? "") ? null : row.created_by;
  return { ...row, created_by, record: withoutOwners(row.record, former) };
};

/**
 * The record of a row as it is answered: without former owners. A row with another form number is
 * read through the schema.
 */
export const recordOf = (
  { form, record }: Pick<RoomRow, "form" | "record">,
  former: string | null = null,
): string => {
  const current = form === ROOM_FORM ? record : JSON.stringify(presentRoom(readRoom(record, "{}")));
  return former === null ? current : withoutOwners(current, former);
};
