import type { Migration } from "./migration.ts";

/** Why the last try of a letter or a delivery failed; ../tables.ts explains the columns. */
export const lastReasons: Migration = {
  name: "0103-last-reasons-beside-0099",
  up: async (db, { text }) => {
    await db.schema.alterTable("letters").addColumn("last_reason", text).execute();
    await db.schema.alterTable("deliveries").addColumn("last_reason", text).execute();
  },
};
