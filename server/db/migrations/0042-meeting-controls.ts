import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * Meetings that people enter with the microphone off, and how good each connection is.
 * ../meeting-tables.ts explains the columns.
 */
export const meetingControls: Migration = { name: "0042-meeting-controls", up };

async function up(db: Kysely<unknown>, { text, boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("meetings")
    .addColumn("mutes_entry", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema.alterTable("seats").addColumn("quality", text).execute();
  await db.schema
    .alterTable("seats")
    .addColumn("returns", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
}
