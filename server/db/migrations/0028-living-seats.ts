import type { Kysely } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/**
 * Finds the seats of a meeting that have not ended, and those that ended and were never entered, without
 * walking over all others.
 */
export const livingSeats: Migration = { name: "0028-living-seats", up };

async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, "seats", ["meeting_id", "claimed_at", "id"], "left_at is null");
  await index(db, "seats", ["user_id", "left_at"], "left_at is not null and joined_at is null");
}
