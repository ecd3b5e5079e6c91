import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** The entries of one kind, newest first, and how many there are. */
export const entriesByKind: Migration = {
  name: "0073-history-kinds",
  up: (db) => index(db, "history", ["organization_id", "kind", "number"]),
};
