import {
  presentExtras,
  presentRoom,
  ROOM_FORM,
  type Room,
  readRoom,
} from "../../contract/room-record.ts";
import type { RoomRow } from "../db/tables.ts";
import { fold } from "../fold.ts";

/** The columns that follow from a room: written together, never one by one. */
export const columnsOf = (room: Room) => ({
  room: room.room,
  name: room.name,
  name_key: fold(room.name),
  updated_at: room.updatedAt,
  form: ROOM_FORM,
  record: JSON.stringify(presentRoom(room)),
  extras: JSON.stringify(presentExtras(room)),
});

/** The room of a row. */
export const roomOf = ({ record, extras }: Pick<RoomRow, "record" | "extras">): Room =>
  readRoom(record, extras);

/** The record of a row as it is answered. A row of another form is read through the schema. */
export const recordOf = ({ form, record }: Pick<RoomRow, "form" | "record">): string =>
  form === ROOM_FORM ? record : JSON.stringify(presentRoom(readRoom(record, "{}")));
