import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * The seat from which somebody was excluded, so that the ban can be lifted; ../meeting-tables.ts
 * explains it.
 */
export const bansOfSeats: Migration = { name: "0020-bans-of-seats", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("bans").addColumn("seat_id", text).execute();
}
