import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Imports of people and rooms; ../import-tables.ts explains the columns. */
export const importTables: Migration = {
  name: "0057-imports",
  up: async (db, { text, bigint, boolean }) => {
    await sql`create table imports (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    kind ${text} not null,
    form ${text} not null,
    name ${text} not null,
    state ${text} not null,
    mode ${text},
    emails ${boolean} not null,
    lines ${bigint} not null,
    planned ${bigint} not null,
    ignored ${text} not null,
    created_at ${text} not null,
    ended_at ${text},
    entry ${bigint},
    read text,
    constraint imports_id_unique primary key (id)
  )`.execute(db);
    await index(db, "imports", ["organization_id", "created_at"]);

    await sql`create table import_lines (
    import_id ${text} not null references imports (id) on delete cascade,
    line ${bigint} not null,
    name ${text},
    given ${text},
    plan ${text},
    outcome ${text},
    reason ${text},
    subject_id ${text},
    changes text,
    constraint import_lines_import_id_line_unique primary key (import_id, line)
  )`.execute(db);
    await index(db, "import_lines", ["subject_id"], "subject_id is not null");

    await sql`create table import_columns (
    organization_id ${text} not null references organizations (id) on delete cascade,
    kind ${text} not null,
    headings ${text} not null,
    columns ${text} not null,
    used_at ${text} not null,
    constraint import_columns_organization_id_kind_headings_unique primary key (organization_id, kind, headings)
  )`.execute(db);

    await sql`create table line_erasures (
    organization_id ${text} not null references organizations (id) on delete cascade,
    id ${text} not null,
    people ${text} not null,
    until ${text} not null,
    import_id ${text} not null,
    line ${bigint},
    constraint line_erasures_organization_id_id_unique primary key (organization_id, id)
  )`.execute(db);
  },
};
