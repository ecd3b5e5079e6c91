import type { Kysely } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Finds the last run of a topic in a meeting without the earlier ones. */
export const lastRuns: Migration = { name: "0076-last-runs", up };

async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, "runs", ["meeting_id", "topic", "requested_at", "id"]);
}
