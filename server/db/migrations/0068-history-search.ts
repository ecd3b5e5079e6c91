import { isPostgres } from "../dialect.ts";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/**
 * A search of the history walks over this index instead of the entries, on SQLite only: rows of PostgreSQL's
 * indexes end at 2,704 bytes, and two keys may be longer.
 */
export const historySearch: Migration = {
  name: "0068-history-search",
  async up(db) {
    if (isPostgres(db)) return;
    await index(db, "history", ["organization_id", "number", "actor_key", "subject_key"]);
  },
};
