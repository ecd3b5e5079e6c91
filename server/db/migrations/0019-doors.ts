import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * The browser with which somebody came, and until when somebody is excluded; ../meeting-tables.ts
 * explains it.
 */
export const doors: Migration = { name: "0019-doors", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("seats").addColumn("device", text).execute();
  await db.schema.alterTable("bans").addColumn("ends_at", text).execute();
}
