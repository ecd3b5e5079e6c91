import type { Migration } from "./migration.ts";

/** The language that a person has chosen; ../tables.ts explains the column. */
export const peoplesLanguages: Migration = {
  name: "0090-languages",
  up: async (db, { text }) => {
    await db.schema.alterTable("users").addColumn("language", text).execute();
  },
};
