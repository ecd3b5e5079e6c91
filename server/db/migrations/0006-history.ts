import { type Kysely, sql } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Who changed what, and when; ../history-tables.ts explains the columns. */
export const history: Migration = { name: "0006-history", up };

async function up(db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("history")
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("number", bigint, (c) => c.notNull())
    .addColumn("at", text, (c) => c.notNull())
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("change_id", text, (c) => c.notNull())
    .addColumn("actor_kind", text, (c) => c.notNull())
    .addColumn("actor_id", text)
    .addColumn("subject_kind", text, (c) => c.notNull())
    .addColumn("subject_id", text, (c) => c.notNull())
    .addColumn("who", text)
    .addColumn("who_digest", text, (c) => c.notNull())
    .addColumn("facts", text)
    .addColumn("facts_digest", text, (c) => c.notNull())
    .addColumn("actor_key", text)
    .addColumn("subject_key", text)
    .addColumn("digest", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("history", ["organization_id", "number"]), [
      "organization_id",
      "number",
    ] as never)
    .execute();
  await index(db, "history", ["organization_id", "subject_id", "number"]);
  await index(db, "history", ["organization_id", "actor_id", "number"]);
  for (const [column, type, initial] of [
    ["history_number", bigint, sql`0`],
    ["history_digest", text, sql`''`],
    ["history_before", bigint, sql`0`],
    ["history_before_digest", text, sql`''`],
  ] as const) {
    await db.schema
      .alterTable("organizations")
      .addColumn(column, type, (c) => c.notNull().defaultTo(initial))
      .execute();
  }
}
