import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Whether a link has ended with a meeting, not by somebody's decision; ../meeting-tables.ts explains it. */
export const linksThatAreOver: Migration = { name: "0049-links-that-are-over", up };

async function up(db: Kysely<unknown>, { boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("room_links")
    .addColumn("is_over", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
}
