import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/** How files were read, and the columns that people have assigned; ../import-tables.ts explains them. */
export const mappedColumns: Migration = { name: "0044-mapped-columns", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("imports").addColumn("read", "text").execute();
  await db.schema
    .createTable("import_columns")
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("headings", text, (c) => c.notNull())
    .addColumn("columns", text, (c) => c.notNull())
    .addColumn("used_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(
      uniqueName("import_columns", ["organization_id", "kind", "headings"]),
      ["organization_id", "kind", "headings"] as never[],
    )
    .execute();
}
