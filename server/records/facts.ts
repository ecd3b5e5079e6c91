import type { Room } from "../../contract/rooms/record.ts";
import { secretSettings } from "../../contract/rooms/settings.ts";
import type { Facts } from "../change/history.ts";
import type { UserRow } from "../db/tables.ts";
import { fieldOf, settingNames } from "./user-columns.ts";

/** Settings that the history does not show. */
export const roomSecrets: ReadonlySet<string> = new Set(secretSettings);

/** The fields of a room that the history keeps: everything that an edit may set. */
export const roomFacts = (room: Room): Facts => {
  const { owners, roomStatus, totalCallTime, createdAt, updatedAt, ...settings } = room;
  return { ...settings, roomOwnerId: owners.join(",") };
};

/** The fields of a person that the history keeps: everything that an edit may set. */
export const userFacts = (user: UserRow): Facts => ({
  email: user.email,
  name: user.name,
  ...(user.language !== null && { language: user.language }),
  mustChoosePassword: user.must_choose_password,
  ...Object.fromEntries(settingNames.map((name) => [name, fieldOf(user, name)])),
});
