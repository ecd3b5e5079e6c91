import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/**
 * Which role moderators have left somebody; and how the seat of a browser is found without the account that
 * it was taken with. ../meeting-tables.ts explains the columns.
 */
export const roleLimits: Migration = { name: "0033-role-limits", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("seats").addColumn("role_limit", text).execute();
  await index(db, "seats", ["meeting_id", "person"], "role_limit is not null");
  await index(db, "seats", ["device"], "device is not null and left_at is null");
}
