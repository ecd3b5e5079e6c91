import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Providers of OpenID Connect, and who their people are; ../provider-tables.ts explains the columns. */
export const providerTables: Migration = {
  name: "0080-providers",
  up: async (db, { text, boolean }) => {
    await sql`create table providers (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    name ${text} not null,
    issuer ${text} not null,
    enabled ${boolean} not null,
    client_secret ${text},
    settings ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    constraint providers_id_unique primary key (id)
  )`.execute(db);
    await index(db, "providers", ["organization_id"]);

    await sql`create table provider_links (
    provider_id ${text} not null references providers (id) on delete cascade,
    subject ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    user_id ${text} not null references users (id) on delete cascade,
    created_at ${text} not null,
    constraint provider_links_subject_unique primary key (provider_id, subject)
  )`.execute(db);
    await uniqueIndex(db, "provider_links", ["user_id", "provider_id"]);
    await index(db, "provider_links", ["organization_id"]);

    await sql`create table provider_sessions (
    session ${text} not null,
    provider_id ${text} not null references providers (id) on delete cascade,
    user_id ${text} not null references users (id) on delete cascade,
    subject ${text} not null,
    sid ${text},
    id_token ${text},
    ends_at ${text} not null,
    constraint provider_sessions_session_unique primary key (session)
  )`.execute(db);
    await index(db, "provider_sessions", ["provider_id", "subject"]);
    await index(db, "provider_sessions", ["user_id"]);
    await index(db, "provider_sessions", ["ends_at"]);
  },
};
