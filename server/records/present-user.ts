import type { z } from "zod";
import { createdUser, editedUser, listedUser, revokedUser } from "../../contract/people/record.ts";
import type { UserRow } from "../db/tables.ts";
import { fieldOf, userColumns } from "./user-columns.ts";

type Column = (typeof userColumns)[keyof typeof userColumns];
export type ShownRow = Pick<UserRow, Column | "name_key">;

/** The columns that are read for an answer. */
export const shownColumns: readonly (keyof ShownRow)[] = [
  ...Object.values(userColumns),
  "name_key",
];

/** Makes a presenter, which takes the keys of a schema from their columns. */
const presenter = <S extends z.ZodObject>(schema: S) => {
  const names = Object.keys(schema.shape) as (keyof typeof userColumns)[];
  return (row: ShownRow): z.output<S> =>
    Object.fromEntries(names.map((name) => [name, fieldOf(row, name)])) as z.output<S>;
};

/** Presents an account in the answer to its creation. */
export const presentCreated = presenter(createdUser);
/** Presents an account in the answer to an edit. */
export const presentEditedUser = presenter(editedUser);
/** Presents an account in lists. */
export const presentListed = presenter(listedUser);
/** Presents a revoked account in the list without pages. */
export const presentRevoked = presenter(revokedUser);

/** The values that edits set beside the record of a person. */
export type BesideRecord = Pick<UserRow, "language" | "must_choose_password">;

/** The source of an account's entity tag, the same for every answer: everything that an edit may set. */
export const userVersionOf = (row: ShownRow & BesideRecord): string =>
  JSON.stringify([presentListed(row), row.language, row.must_choose_password]);

/** An account with the rooms that it owns, as JSON for the lists in pages. */
export const presentPaged = (
  row: ShownRow,
  { names, rooms }: { readonly names: string; readonly rooms: string },
): string =>
  `${JSON.stringify(presentListed(row)).slice(0, -1)},"rooms":${names},"roomIds":${rooms}}`;
