import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Why letters wait for the mail server; ../tables.ts explains the column. */
export const heldLetters: Migration = { name: "0031-held-letters", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("letters").addColumn("held_for", text).execute();
}
