import type { Migration } from "./migration.ts";

/** The languages of transcriptions and of what was said; ../live-tables.ts explains the columns. */
export const runLanguages: Migration = {
  name: "0102-speech-languages-beside-0099",
  up: async (db, { text }) => {
    await db.schema.alterTable("runs").addColumn("language", text).execute();
    await db.schema.alterTable("captions").addColumn("language", text).execute();
  },
};
