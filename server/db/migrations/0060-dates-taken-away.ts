import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** What takes a change of a room's dates back; ../schedule-tables.ts explains the columns. */
export const datesTakenAway: Migration = { name: "0060-dates-taken-away", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("schedules").addColumn("removed_at", text).execute();
  await db.schema.alterTable("schedules").addColumn("former", text).execute();
}
