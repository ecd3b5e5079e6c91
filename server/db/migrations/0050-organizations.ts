import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** The installation and its organizations; ../tables.ts explains the columns. */
export const organizationTables: Migration = {
  name: "0050-organizations",
  up: async (db, { text, integer, bigint }) => {
    await sql`create table service (
    id ${integer} not null,
    seal_check ${text},
    initialized_at ${text},
    constraint service_id_unique primary key (id)
  )`.execute(db);
    await sql`insert into service (id) values (1)`.execute(db);

    await sql`create table organizations (
    id ${text} not null,
    name ${text} not null,
    name_key ${text} not null,
    plan ${text},
    max_rooms ${bigint},
    max_users ${bigint},
    used_rooms ${bigint} not null,
    used_users ${bigint} not null,
    users_by_role ${text} not null,
    created_at ${text} not null,
    settings ${text} not null default '{}',
    history_number ${bigint} not null default 0,
    history_digest ${text} not null default '',
    history_before ${bigint} not null default 0,
    history_before_digest ${text} not null default '',
    webhooks ${integer} not null default 0,
    usage_filled_to ${text},
    constraint organizations_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "organizations", ["name_key"]);

    await sql`create table logos (
    organization_id ${text} not null references organizations (id) on delete cascade,
    digest ${text} not null,
    type ${text} not null,
    picture ${text} not null,
    constraint logos_organization_id_unique primary key (organization_id)
  )`.execute(db);
    await index(db, "logos", ["digest"]);
  },
};
