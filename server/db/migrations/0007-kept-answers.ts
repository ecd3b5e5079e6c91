import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Requests that are safe to retry; ../tables.ts explains the columns. */
export const keptAnswers: Migration = { name: "0007-kept-answers", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("kept_answers")
    .addColumn("digest", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("request", text, (c) => c.notNull())
    .addColumn("claim", text, (c) => c.notNull())
    .addColumn("lease_until", text, (c) => c.notNull())
    .addColumn("answer", text)
    .addColumn("created_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("kept_answers", ["digest"]), ["digest" as never])
    .execute();
  await index(db, "kept_answers", ["created_at"]);
}
