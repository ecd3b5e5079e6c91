import { emailKey } from "../../contract/kit/fields.ts";
import { isList } from "../../contract/kit/setting.ts";
import {
  type UserSettingName,
  type UserSettings,
  userSettings,
} from "../../contract/people/settings.ts";
import type { UserRow } from "../db/tables.ts";
import { fold } from "../lib/fold.ts";
import { refuse } from "../lib/refusal.ts";

/** The column of a field: `meetNowEnabled` is kept in `meet_now_enabled`. */
type ColumnOf<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : Name;

export const settingNames = Object.keys(userSettings) as readonly UserSettingName[];

/** The columns that hold a person's settings. */
export const settingColumns = Object.fromEntries(
  settingNames.map((name) => [
    name,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
) as { readonly [Name in UserSettingName]: ColumnOf<Name> };

/** The columns of an account that answers show, by the keys of the answers. */
export const userColumns = {
  id: "id",
  email: "email",
  name: "name",
  createdAt: "created_at",
  username: "username",
  ...settingColumns,
  accountSuspended: "account_suspended",
  accountDeleted: "account_deleted",
  profileId: "profile_id",
} as const satisfies Record<string, keyof UserRow>;

type SettingColumn = (typeof settingColumns)[UserSettingName];

/** The columns of these settings, as they are stored; undefined ones are skipped. */
export const storedSettings = <S extends { [K in UserSettingName]?: UserSettings[K] | undefined }>(
  settings: S,
): S extends UserSettings ? Pick<UserRow, SettingColumn> : Partial<Pick<UserRow, SettingColumn>> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = settings[name];
      if (value === undefined) return [];
      return [[settingColumns[name], Array.isArray(value) ? JSON.stringify(value) : value]];
    }),
  ) as never;

type Shown = keyof typeof userColumns;

const lists: ReadonlySet<Shown> = new Set(
  settingNames.filter((name) => isList(userSettings[name])),
);

/** The value of a key of an answer, from its column: lists are stored as JSON. */
export const fieldOf = (row: Pick<UserRow, (typeof userColumns)[Shown]>, name: Shown): unknown =>
  lists.has(name) ? JSON.parse(row[userColumns[name]] as string) : row[userColumns[name]];

/** The columns of an email address: as typed, its unique key, and its search key. */
export const storedEmail = (
  email: string,
): Pick<UserRow, "email" | "email_key" | "email_fold"> => ({
  email,
  email_key: emailKey(email) ?? refuse("invalid_input"),
  email_fold: fold(email),
});
