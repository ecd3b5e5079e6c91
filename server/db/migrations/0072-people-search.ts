import { sql } from "kysely";
import { isPostgres } from "../dialect.ts";
import type { Migration } from "./migration.ts";

/**
 * A search of people walks over this index instead of their rows, on SQLite only: rows of PostgreSQL's
 * indexes end at 2,704 bytes. It replaces the one that begins with the same columns.
 */
export const peopleSearch: Migration = {
  name: "0072-people-search",
  async up(db) {
    if (isPostgres(db)) return;
    await sql`drop index users_organization_account_deleted_role_name_key_id_index`.execute(db);
    await sql`create index users_search_index on users
      (organization_id, account_deleted, role, name_key, id, email_fold, username)`.execute(db);
  },
};
