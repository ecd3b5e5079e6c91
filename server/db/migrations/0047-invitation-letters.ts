import type { Migration } from "./migration.ts";

/** Which email carried an invitation last: its state is that of the invitation. */
export const invitationLetters: Migration = {
  name: "0047-invitation-letters",
  up: async (db, { text }) => {
    await db.schema.alterTable("invitees").addColumn("letter_id", text).execute();
  },
};
