import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Imports of people and rooms; ../import-tables.ts explains the columns. */
export const imports: Migration = { name: "0012-imports", up };

async function up(db: Kysely<unknown>, { text, boolean, bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("imports")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("form", text, (c) => c.notNull())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("mode", text)
    .addColumn("emails", boolean, (c) => c.notNull())
    .addColumn("lines", bigint, (c) => c.notNull())
    .addColumn("planned", bigint, (c) => c.notNull())
    .addColumn("ignored", text, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("ended_at", text)
    .addPrimaryKeyConstraint(uniqueName("imports", ["id"]), ["id" as never])
    .execute();
  await index(db, "imports", ["organization_id", "created_at"]);
  await db.schema
    .createTable("import_lines")
    .addColumn("import_id", text, (c) => c.notNull().references("imports.id").onDelete("cascade"))
    .addColumn("line", bigint, (c) => c.notNull())
    .addColumn("name", text)
    .addColumn("given", text)
    .addColumn("plan", text)
    .addColumn("outcome", text)
    .addColumn("reason", text)
    .addColumn("subject_id", text)
    .addPrimaryKeyConstraint(uniqueName("import_lines", ["import_id", "line"]), [
      "import_id" as never,
      "line" as never,
    ])
    .execute();
  await index(db, "import_lines", ["subject_id"], "subject_id is not null");
}
