import type { UserRow } from "../db/tables.ts";
import type { Facts } from "../history/keep.ts";
import { settingColumns } from "./columns.ts";

/** The fields of a person that the history keeps: everything that an edit may set. */
export const factsOf = (user: UserRow): Facts => ({
  email: user.email,
  name: user.name,
  ...Object.fromEntries(
    Object.entries(settingColumns).map(([name, column]) => [
      name,
      column === "tags" ? JSON.parse(user.tags) : user[column],
    ]),
  ),
});
