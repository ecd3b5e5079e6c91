import { sql } from "kysely";
import type { Change } from "../change/organization.ts";
import { type Lookup, prepared } from "../db/prepared.ts";
import type { OrganizationRow } from "../db/tables.ts";

/** How many rooms an organization has. */
export const byOrganization: Lookup<Pick<OrganizationRow, "id" | "used_rooms">> = {
  parts: 1,
  keyOf: ({ id }) => [id],
  query: (db, id) => db.selectFrom("organizations").select(["id", "used_rooms"]).where(id("id")),
};

const saveUsed = prepared<null, { readonly id: string; readonly used: number }, never>(
  (tx, _, { id, used }) =>
    tx.updateTable("organizations").set({ used_rooms: used }).where("id", "=", id),
);

/** Sends the organization's counter. Call it once per change: it starts from the row as it was locked. */
export const countRooms = (
  { tx, send, organization: { id, used_rooms } }: Change,
  by: number,
): void => send(saveUsed.statement(tx, null, { id, used: used_rooms + by }));

/** Walking over more rows than this, or sorting them, would block other callers. */
export const MANY = 500;

/** How many rooms the first of these accounts owns, counted up to `MANY` and one more. */
export const askOwned = prepared<
  null,
  { readonly owners: readonly string[] },
  { readonly owned: number }
>((db, _, { owners: [first = ""] }) =>
  db
    .selectFrom(
      db
        .selectFrom("room_owners")
        .select("room_id")
        .where("user_id", "=", first)
        .limit(sql.lit(MANY + 1))
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("owned")),
);
