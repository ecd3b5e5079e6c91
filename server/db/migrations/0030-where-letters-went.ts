import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Whether an email left for a mail server or was written to a file; ../tables.ts explains the column. */
export const whereLettersWent: Migration = { name: "0030-where-letters-went", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("letters").addColumn("sent_to", text).execute();
}
