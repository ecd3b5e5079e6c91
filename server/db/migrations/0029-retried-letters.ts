import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** When a refused email was last tried again by hand; ../tables.ts explains the column. */
export const retriedLetters: Migration = { name: "0029-retried-letters", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("letters").addColumn("retried_at", text).execute();
}
