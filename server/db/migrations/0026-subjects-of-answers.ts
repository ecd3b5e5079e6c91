import type { Kysely } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** The person whom a kept answer is about; ../tables.ts explains the column. */
export const subjectsOfAnswers: Migration = { name: "0026-subjects-of-answers", up };

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("kept_answers").addColumn("subject_id", "text").execute();
  await index(db, "kept_answers", ["subject_id"], "subject_id is not null");
}
