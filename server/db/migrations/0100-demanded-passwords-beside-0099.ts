import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Whose password must be replaced at the next sign-in; ../tables.ts explains the column. */
export const demandedPasswords: Migration = {
  name: "0100-demanded-passwords-beside-0099",
  up: async (db, { boolean }) => {
    await sql`alter table users add column must_choose_password ${boolean} not null default false`.execute(
      db,
    );
  },
};
