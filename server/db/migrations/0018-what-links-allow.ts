import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** What links to recordings allow; ../recording-tables.ts explains the column. */
export const whatLinksAllow: Migration = { name: "0018-what-links-allow", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  // Links that exist already keep what they allow.
  await db.schema
    .alterTable("recording_links")
    .addColumn("allows", text, (c) => c.notNull().defaultTo("play"))
    .execute();
}
