import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** In which role somebody wrote in the chat; ../meeting-tables.ts explains the column. */
export const rolesOfMessages: Migration = { name: "0027-roles-of-messages", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("chat").addColumn("role", text).execute();
}
