import { type Kysely, sql } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Webhooks and their deliveries; ../webhook-tables.ts and ../live-tables.ts explain the columns. */
export const webhooks: Migration = { name: "0008-webhooks", up };

async function up(db: Kysely<unknown>, { text, integer, bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("webhooks")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("url", text, (c) => c.notNull())
    .addColumn("description", text, (c) => c.notNull())
    .addColumn("events", text, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("secret", text, (c) => c.notNull())
    .addColumn("former_secret", text)
    .addColumn("former_until", text)
    .addColumn("failing_since", text)
    .addColumn("last_number", bigint, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("updated_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("webhooks", ["id"]), ["id" as never])
    .execute();
  await index(db, "webhooks", ["organization_id"]);
  await db.schema
    .createTable("deliveries")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("webhook_id", text, (c) => c.notNull().references("webhooks.id").onDelete("cascade"))
    .addColumn("number", bigint, (c) => c.notNull())
    .addColumn("event", text, (c) => c.notNull())
    .addColumn("subject", text, (c) => c.notNull())
    .addColumn("body", text)
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("attempts", integer, (c) => c.notNull())
    .addColumn("attempts_before", integer, (c) => c.notNull())
    .addColumn("due_at", text, (c) => c.notNull())
    .addColumn("queued_at", text, (c) => c.notNull())
    .addColumn("status", integer)
    .addColumn("answer", text)
    .addColumn("milliseconds", integer)
    .addColumn("last_error", text)
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("ended_at", text)
    .addPrimaryKeyConstraint(uniqueName("deliveries", ["id"]), ["id" as never])
    .execute();
  await index(db, "deliveries", ["due_at"], "state = 'waiting'");
  await index(db, "deliveries", ["webhook_id", "subject", "number"], "state = 'waiting'");
  await index(db, "deliveries", ["webhook_id", "created_at"]);
  await index(db, "deliveries", ["organization_id", "created_at"]);
  await db.schema.alterTable("runs").addColumn("live_at", text).execute();
  await db.schema
    .alterTable("organizations")
    .addColumn("webhooks", integer, (c) => c.notNull().defaultTo(sql`0`))
    .execute();
}
