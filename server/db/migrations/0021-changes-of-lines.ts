import type { Kysely } from "kysely";
import type { Migration } from "./migration.ts";

/** What lines of imports would change, as their check found; ../import-tables.ts explains the column. */
export const changesOfLines: Migration = { name: "0021-changes-of-lines", up };

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("import_lines").addColumn("changes", "text").execute();
}
