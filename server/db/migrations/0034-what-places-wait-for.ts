import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** For what somebody before the door waits. ../meeting-tables.ts explains the column. */
export const whatPlacesWaitFor: Migration = { name: "0034-what-places-wait-for", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("seats").addColumn("waits_for", text).execute();
}
