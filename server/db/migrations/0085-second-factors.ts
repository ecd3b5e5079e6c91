import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Second factors, and how a session was opened; ../factor-tables.ts and ../tables.ts explain the columns. */
export const secondFactors: Migration = {
  name: "0085-second-factors",
  up: async (db, { text, bigint }) => {
    await sql`create table authenticators (
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    secret ${text} not null,
    last_step ${bigint} not null,
    created_at ${text} not null,
    confirmed_at ${text},
    constraint authenticators_user_id_unique primary key (user_id)
  )`.execute(db);
    await index(db, "authenticators", ["organization_id"]);
    await sql`create table recovery_codes (
    digest ${text} not null,
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    constraint recovery_codes_digest_unique primary key (digest)
  )`.execute(db);
    await index(db, "recovery_codes", ["user_id"]);
    await index(db, "recovery_codes", ["organization_id"]);
    await db.schema
      .alterTable("tokens")
      .addColumn("level", text, (column) => column.notNull().defaultTo("password"))
      .execute();
    await db.schema.alterTable("tokens").addColumn("proved_at", text).execute();
  },
};
