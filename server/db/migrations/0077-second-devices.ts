import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { uniqueIndex } from "./table.ts";

/** Seats of second devices, and when a moderator has muted somebody; ../meeting-tables.ts explains the columns. */
export const secondDevices: Migration = { name: "0077-second-devices", up };

async function up(db: Kysely<unknown>, { text, boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("seats")
    .addColumn("second", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema.alterTable("seats").addColumn("muted_at", text).execute();
  // A person has one seat, and one of a second device.
  await db.schema.dropIndex(uniqueName("seats", ["meeting_id", "person"])).execute();
  const living = "left_at is null and state <> 'leaving'";
  await uniqueIndex(db, "seats", ["meeting_id", "person", "second"], living);
}
