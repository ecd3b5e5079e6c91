import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Webhooks and their deliveries; ../webhook-tables.ts explains the columns. */
export const webhookTables: Migration = {
  name: "0056-webhooks",
  up: async (db, { text, integer, bigint }) => {
    await sql`create table webhooks (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    url ${text} not null,
    description ${text} not null,
    events ${text} not null,
    state ${text} not null,
    secret ${text} not null,
    former_secret ${text},
    former_until ${text},
    failing_since ${text},
    last_number ${bigint} not null default 0,
    created_at ${text} not null,
    updated_at ${text} not null,
    constraint webhooks_id_unique primary key (id)
  )`.execute(db);
    await index(db, "webhooks", ["organization_id"]);

    await sql`create table deliveries (
    id ${text} not null,
    organization_id ${text} not null,
    webhook_id ${text} not null references webhooks (id) on delete cascade,
    number ${bigint} not null,
    event ${text} not null,
    subject ${text} not null,
    body ${text},
    state ${text} not null,
    attempts ${integer} not null,
    attempts_before ${integer} not null,
    due_at ${text} not null,
    queued_at ${text} not null,
    status ${integer},
    answer ${text},
    milliseconds ${integer},
    last_error ${text},
    created_at ${text} not null,
    ended_at ${text},
    constraint deliveries_id_unique primary key (id)
  )`.execute(db);
    await index(db, "deliveries", ["webhook_id", "subject", "number"], "state = 'waiting'");
    await index(db, "deliveries", ["webhook_id", "created_at"]);
    await index(db, "deliveries", ["organization_id", "created_at"]);
    // Finds due deliveries by their webhook, without walking over those of a webhook that is off.
    await index(db, "deliveries", ["webhook_id", "due_at"], "state = 'waiting'");
  },
};
