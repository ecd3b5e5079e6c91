import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Finds the few deleted rooms of an organization: their meetings do not count in lists. */
export const deletedRooms: Migration = {
  name: "0065-deleted-rooms",
  up: (db) => index(db, "rooms", ["organization_id", "deleted_at"], "deleted_at is not null"),
};
