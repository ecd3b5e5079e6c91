import type { Migration } from "./migration.ts";

/** The client IDs with which sessions began at providers; ../provider-tables.ts explains the column. */
export const sessionClients: Migration = {
  name: "0104-session-clients-beside-0099",
  up: async (db, { text }) => {
    await db.schema.alterTable("provider_sessions").addColumn("client_id", text).execute();
  },
};
