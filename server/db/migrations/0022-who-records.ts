import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Which processes are meant to record; ../meeting-tables.ts explains the column. */
export const whoRecords: Migration = { name: "0022-who-records", up };

async function up(db: Kysely<unknown>, { boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("processes")
    .addColumn("records", boolean, (c) => c.notNull().defaultTo(false))
    .execute();
}
