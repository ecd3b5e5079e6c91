import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Which entry of the history another one takes back; ../history-tables.ts explains the column. */
export const undo: Migration = { name: "0009-undo", up };

async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("history").addColumn("undoes", bigint).execute();
}
