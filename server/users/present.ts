import type { z } from "zod";
import { createdUser, editedUser, listedUser, revokedUser } from "../../contract/user-record.ts";
import type { UserRow } from "../db/tables.ts";
import { columns } from "./columns.ts";

type Column = (typeof columns)[keyof typeof columns];
export type ShownRow = Pick<UserRow, Column | "name_key">;

/** What is read of an account to answer it. */
export const shownColumns: readonly (keyof ShownRow)[] = [...Object.values(columns), "name_key"];

/** Makes what carries an account into an answer: the keys of its schema, from their columns. */
const presenter = <S extends z.ZodObject>(schema: S) => {
  const names = Object.keys(schema.shape) as (keyof typeof columns)[];
  return (row: ShownRow): z.output<S> =>
    Object.fromEntries(
      names.map((name) => [name, name === "tags" ? JSON.parse(row.tags) : row[columns[name]]]),
    ) as z.output<S>;
};

/** An account as the answer to its creation carries it. */
export const presentCreated = presenter(createdUser);
/** An account as the answer to an edit carries it. */
export const presentEdited = presenter(editedUser);
/** An account as the lists carry it. */
export const presentListed = presenter(listedUser);
/** A revoked account as the list without pages carries it. */
export const presentRevoked = presenter(revokedUser);

/** What the entity tag of an account is made from, whichever of its keys an answer carries. */
export const versionOf = (row: ShownRow): string => JSON.stringify(presentListed(row));

/** An account with the rooms that it owns, as the lists in pages carry it: JSON. */
export const presentPaged = (
  row: ShownRow,
  { names, rooms }: { readonly names: string; readonly rooms: string },
): string =>
  `${JSON.stringify(presentListed(row)).slice(0, -1)},"rooms":${names},"roomIds":${rooms}}`;
