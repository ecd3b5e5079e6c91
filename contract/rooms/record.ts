import { z } from "zod";
import { instant, textField } from "../kit/fields.ts";
import { says } from "../kit/reasons.ts";
import { shapeOf } from "../kit/setting.ts";
import {
  allSettings,
  editOnlySettings,
  initialSettings,
  type RoomSettings,
  roomSettings,
} from "./settings.ts";

/** A number from 0 to 2^31 - 1, which fits an integer column on both databases. */
const hash = (value: string): number => {
  let sum = 0;
  for (let at = 0; at < value.length; at += 1) {
    sum = (Math.imul(sum, 31) + value.charCodeAt(at)) & 0x7fff_ffff;
  }
  return sum;
};

/** The form of rooms with these settings; it changes with any name, order or default. */
export const formOf = (defaults: object): number => hash(JSON.stringify(defaults));

/** The form in which rooms are written now; a row with another form is read through the schema. */
export const ROOM_FORM = formOf(initialSettings);

const required = { required: says("required") } as const;
export const roomName = textField(200, { ...required, shown: "line" }).describe(
  "The name of the room.",
);

/** The record of a room as every answer carries it. */
const recordShape = {
  name: z.string(),
  roomOwnerId: z.string(),
  room: z.string(),
  ...(({ roomPermaLink, ...shown }) => ({ ...shown, roomPermalink: roomPermaLink }))(
    shapeOf(roomSettings, "reply"),
  ),
  roomStatus: z.string(),
  totalCallTime: z.string(),
  createdAt: instant(),
  updatedAt: instant(),
};
export const roomRecord = z.strictObject(recordShape).meta({ title: "Room" });
export type RoomRecord = z.output<typeof roomRecord>;

/** The record as the answer to an edit carries it. */
export const extendedRecord = z
  .strictObject({
    ...recordShape,
    _id: z.string(),
    userId: z.string().nullable(),
    siteSetting: z.string(),
    ...shapeOf(editOnlySettings, "reply"),
  })
  .meta({ title: "Room" });

/** A room as the rules handle it: the record with plain types, and the edit-only settings. */
export interface Room extends RoomSettings {
  readonly name: string;
  readonly room: string;
  /** User IDs, the first owner first. */
  readonly owners: readonly string[];
  readonly roomStatus: string;
  /** Seconds with somebody inside. */
  readonly totalCallTime: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The settings with another form or name in answers. */
const answeredOtherwise: Readonly<Record<string, (room: Room) => readonly [string, unknown]>> = {
  audioStatus: ({ audioStatus }) => ["audioStatus", `${audioStatus}`],
  videoStatus: ({ videoStatus }) => ["videoStatus", `${videoStatus}`],
  roomPermaLink: ({ roomPermaLink }) => ["roomPermalink", roomPermaLink],
};

/** A room as every answer carries it (interface.md, Room setting). */
export const presentRoom = (room: Room): RoomRecord => {
  const settings = Object.keys(roomSettings).map(
    (key) => answeredOtherwise[key]?.(room) ?? [key, room[key as keyof Room]],
  );
  return {
    name: room.name,
    roomOwnerId: room.owners.join(","),
    room: room.room,
    ...Object.fromEntries(settings),
    roomStatus: room.roomStatus,
    totalCallTime: `${room.totalCallTime}`,
    createdAt: room.createdAt,
    updatedAt: room.updatedAt,
  };
};

/** The settings that only the answer to an edit carries, from a room. */
export const presentExtras = (room: Room) =>
  Object.fromEntries(
    Object.keys(editOnlySettings).map((key) => [key, room[key as keyof typeof editOnlySettings]]),
  );

/**
 * Only the supplied settings. If both spellings of the permanent link are sent, the request's own
 * wins.
 */
export const supplied = z
  .object({
    name: textField(200, required).optional().describe("The name of the room."),
    ...shapeOf(allSettings, "edit"),
    roomPermalink: roomSettings.roomPermaLink.edit.describe(
      "roomPermaLink as answers spell it, so that a fetched record can be sent back.",
    ),
  })
  .transform(({ roomPermalink, ...changes }) =>
    roomPermalink === undefined ? changes : { roomPermaLink: roomPermalink, ...changes },
  );

/**
 * Reads a stored room back.
 *
 * @param record the record as it is answered
 * @param extras the edit-only settings, JSON
 * @throws z.ZodError when the row is not a room
 */
export const readRoom = (record: string, extras: string): Room => {
  const stored = JSON.parse(record);
  const settings = supplied.parse({ ...stored, ...JSON.parse(extras) });
  return {
    ...initialSettings,
    ...(settings as Partial<RoomSettings>),
    name: stored.name,
    room: stored.room,
    owners: stored.roomOwnerId === "" ? [] : stored.roomOwnerId.split(","),
    roomStatus: stored.roomStatus,
    totalCallTime: Number(stored.totalCallTime),
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
};
