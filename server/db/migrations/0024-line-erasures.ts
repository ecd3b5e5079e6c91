import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * Lines of imports that are erased after the deletion of a person; ../import-tables.ts explains the
 * columns.
 */
export const lineErasures: Migration = { name: "0024-line-erasures", up };

async function up(db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("line_erasures")
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("people", text, (c) => c.notNull())
    .addColumn("until", text, (c) => c.notNull())
    .addColumn("import_id", text, (c) => c.notNull())
    .addColumn("line", bigint)
    .addPrimaryKeyConstraint(uniqueName("line_erasures", ["organization_id", "id"]), [
      "organization_id" as never,
      "id" as never,
    ])
    .execute();
}
