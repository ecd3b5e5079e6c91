import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** From which address a guest has taken a seat and not entered yet; ../meeting-tables.ts explains it. */
export const claims: Migration = { name: "0013-claims", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("seats").addColumn("claimed_from", text).execute();
}
