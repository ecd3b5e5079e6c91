import type { Input } from "../../contract/kit/operation.ts";
import { asLines } from "../../contract/kit/plain.ts";
import type { createRoom, editRoom } from "../../contract/rooms/rooms.ts";
import { initialSettings, roomSettings, suggestedSettings } from "../../contract/rooms/settings.ts";
import { asTyped } from "../kit/form.ts";
import type { RoomRecord } from "../kit/queries.ts";

/** Owners' IDs as a record joins them. */
export const splitOwners = (joined: string): readonly string[] =>
  joined === "" ? [] : joined.split(",");

export type SettingName = keyof typeof roomSettings;
type Settings = { [K in SettingName]: (typeof initialSettings)[K] };

/** A room as the form holds it. */
export interface RoomValues extends Settings {
  readonly name: string;
  /** User IDs, the first owner first. */
  readonly roomOwnerId: readonly string[];
  /** The room ID; empty: the service generates one. */
  readonly room: string;
}

const settingNames = Object.keys(roomSettings) as SettingName[];

/** A new room: settings for a group, and other defaults. */
export const newRoom = (owner: string): RoomValues => ({
  ...(Object.fromEntries(settingNames.map((name) => [name, initialSettings[name]])) as Settings),
  ...suggestedSettings,
  name: "",
  roomOwnerId: [owner],
  room: "",
});

/**
 * Restores plain values from the record's special spellings ("true" as text, the permanent link).
 */
export const roomValuesOf = ({
  roomPermalink,
  audioStatus,
  videoStatus,
  ...record
}: RoomRecord): RoomValues => {
  const plain: Record<string, unknown> = {
    ...record,
    audioStatus: audioStatus === "true",
    videoStatus: videoStatus === "true",
    roomPermaLink: roomPermalink,
  };
  return {
    ...(Object.fromEntries(settingNames.map((name) => [name, plain[name]])) as Settings),
    name: record.name,
    roomOwnerId: splitOwners(record.roomOwnerId),
    room: record.room,
  };
};

/** A value as it is sent: a password is any text, and an agenda has lines. */
const sent = (name: keyof RoomValues, value: unknown): unknown => {
  if (name === "roomPassword") return value;
  return name === "roomAgenda" && typeof value === "string" ? asLines(value) : asTyped(value);
};

/** The body of the request, with only the given fields. */
const bodyOf = (
  values: RoomValues,
  names: readonly (keyof RoomValues)[],
): Record<string, unknown> => ({
  ...Object.fromEntries(names.map((name) => [name, sent(name, values[name])])),
  roomOwnerId: values.roomOwnerId.join(","),
});

export const creation = ({ ...values }: RoomValues): Input<typeof createRoom> => {
  const names = (Object.keys(values) as (keyof RoomValues)[]).filter(
    (name) => name !== "room" || values.room !== "",
  );
  return bodyOf(values, names) as Input<typeof createRoom>;
};

export const edition = (
  values: RoomValues,
  changed: readonly (keyof RoomValues)[],
): Input<typeof editRoom> =>
  ({ ...bodyOf(values, changed), room: values.room }) as Input<typeof editRoom>;
