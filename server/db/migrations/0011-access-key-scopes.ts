import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Access keys with a name, a scope, an end and a last use; ../tables.ts explains the columns. */
export const accessKeyScopes: Migration = { name: "0011-access-key-scopes", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  const keys = db.schema.alterTable("access_keys");
  await keys.addColumn("name", text, (c) => c.notNull().defaultTo("")).execute();
  // Keys that exist already keep their powers: they may do everything, and do not end.
  await keys.addColumn("scope", text, (c) => c.notNull().defaultTo("everything")).execute();
  await keys.addColumn("expires_at", text).execute();
  await keys.addColumn("last_used_at", text).execute();
}
