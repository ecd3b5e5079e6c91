import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** What an invitation says of the door and of the way out; ../meeting-tables.ts explains the columns. */
export const invitationDoors: Migration = { name: "0075-invitation-doors", up };

async function up(db: Kysely<unknown>, { text, boolean }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("invitations").addColumn("lobby", boolean).execute();
  await db.schema.alterTable("invitations").addColumn("return_url", text).execute();
  await db.schema
    .alterTable("seats")
    .addColumn("held", boolean, (column) => column.notNull().defaultTo(false))
    .execute();
}
