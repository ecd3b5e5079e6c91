import type { Facts } from "../change/history.ts";
import type { UserRow } from "../db/tables.ts";
import { fieldOf, settingNames } from "./user-columns.ts";

/** The fields of a person that the history keeps: everything that an edit may set. */
export const userFacts = (user: UserRow): Facts => ({
  email: user.email,
  name: user.name,
  ...Object.fromEntries(settingNames.map((name) => [name, fieldOf(user, name)])),
});
