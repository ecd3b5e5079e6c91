import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/**
 * Entries of the history that are part of a whole, and wholes that are being taken back;
 * ../history-tables.ts, ../import-tables.ts and ../bin-table.ts explain the columns.
 */
export const wholes: Migration = { name: "0016-wholes", up };

async function up(db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("history").addColumn("part_of", bigint).execute();
  await index(db, "history", ["organization_id", "part_of", "number"], "part_of is not null");
  await db.schema.alterTable("imports").addColumn("entry", bigint).execute();
  await db.schema.alterTable("hand_overs").addColumn("entry", bigint).execute();
  await db.schema
    .createTable("undoings")
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("number", bigint, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("entry", bigint)
    .addColumn("entries", bigint, (c) => c.notNull())
    .addColumn("reached", bigint, (c) => c.notNull())
    .addColumn("done", bigint, (c) => c.notNull())
    .addColumn("stayed", bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("undoings", ["organization_id", "number"]), [
      "organization_id" as never,
      "number" as never,
    ])
    .execute();
}
