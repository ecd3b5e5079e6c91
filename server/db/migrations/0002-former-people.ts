import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** A person who is deleted for good leaves their rooms piece by piece (users/former.ts). */
export const formerPeople: Migration = { name: "0002-former-people", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("users").addColumn("gone_at", text).execute();
  await index(db, "users", ["organization_id", "id"], "gone_at is not null");
}
