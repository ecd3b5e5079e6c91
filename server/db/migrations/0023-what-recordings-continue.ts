import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** How many interrupted recordings another one continues; ../recording-tables.ts explains the column. */
export const whatRecordingsContinue: Migration = { name: "0023-what-recordings-continue", up };

async function up(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("recordings")
    .addColumn("continues", integer, (c) => c.notNull().defaultTo(0))
    .execute();
}
