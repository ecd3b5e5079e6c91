import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Captions that are shown and not kept; ../live-tables.ts explains the column. */
export const keptCaptions: Migration = { name: "0015-kept-captions", up };

async function up(db: Kysely<unknown>, { boolean }: ColumnTypes): Promise<void> {
  // Captions that exist already are kept.
  await db.schema
    .alterTable("captions")
    .addColumn("kept", boolean, (c) => c.notNull().defaultTo(true))
    .execute();
}
