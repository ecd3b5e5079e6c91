import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** What an invitation says beside name and role; ../meeting-tables.ts explains the columns. */
export const invitationTerms: Migration = { name: "0071-invitations", up };

async function up(db: Kysely<unknown>, { text, boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("invitations")
    .addColumn("until_meeting", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema.alterTable("invitations").addColumn("metadata", text).execute();
  await db.schema.alterTable("seats").addColumn("metadata", text).execute();
}
