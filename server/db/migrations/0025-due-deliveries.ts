import type { Kysely } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/**
 * An index that finds due deliveries by their webhook, without walking over those of a webhook that is
 * off.
 */
export const dueDeliveries: Migration = { name: "0025-due-deliveries", up };

async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, "deliveries", ["webhook_id", "due_at"], "state = 'waiting'");
  await db.schema.dropIndex("deliveries_due_at_index").execute();
}
