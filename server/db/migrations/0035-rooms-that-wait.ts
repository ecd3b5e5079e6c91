import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Whether guests of a room wait until a host has come. It stands beside the record, which has no such field. */
export const roomsThatWait: Migration = { name: "0035-rooms-that-wait", up };

async function up(db: Kysely<unknown>, { boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("rooms")
    .addColumn("waits_for_host", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
}
