import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Which room is a person's own; ../tables.ts explains the column. */
export const personalRooms: Migration = { name: "0036-personal-rooms", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("users").addColumn("personal_room", text).execute();
}
