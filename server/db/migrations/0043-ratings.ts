import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** How people rate the connection after a meeting; ../meeting-tables.ts explains the column. */
export const ratings: Migration = { name: "0043-ratings", up };

async function up(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("seats").addColumn("rating", integer).execute();
}
