import { type Kysely, sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** What people choose for themselves, sessions one by one, and logos; ../tables.ts explains the columns. */
export const accountsAndLogos: Migration = { name: "0046-accounts-and-logos", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("users").addColumn("time_zone", text).execute();
  await db.schema
    .alterTable("users")
    .addColumn("color_scheme", text, (column) => column.notNull().defaultTo("auto"))
    .execute();
  await db.schema.alterTable("tokens").addColumn("session", text).execute();
  await db.schema.alterTable("tokens").addColumn("user_agent", text).execute();
  await sql`create table logos (
    organization_id ${text} not null references organizations (id) on delete cascade,
    digest ${text} not null,
    type ${text} not null,
    picture ${text} not null,
    constraint logos_organization_id_unique primary key (organization_id)
  )`.execute(db);
  await index(db, "logos", ["digest"]);
}
