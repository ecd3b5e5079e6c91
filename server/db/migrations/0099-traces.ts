import type { Migration } from "./migration.ts";

/** Where the change that caused an email or a delivery is traced; ../tables.ts explains the columns. */
export const traces: Migration = {
  name: "0099-traces",
  up: async (db, { text }) => {
    await db.schema.alterTable("deliveries").addColumn("trace", text).execute();
    await db.schema.alterTable("letters").addColumn("trace", text).execute();
  },
};
