import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** The notice that somebody has put away; ../tables.ts explains the column. */
export const hiddenNotices: Migration = { name: "0037-hidden-notices", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("users").addColumn("hidden_notice", text).execute();
}
