import { type Kysely, sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** The room to which an entry of the history belongs; ../history-tables.ts explains the column. */
export const roomsOfEntries: Migration = { name: "0017-rooms-of-entries", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("history").addColumn("room", text).execute();
  await sql`update history set room = subject_id where subject_kind = 'room'`.execute(db);
  // For recordings that are gone, nothing says which room they were from.
  await sql`
    update history set room = (
      select rooms.room from recordings join rooms on rooms.id = recordings.room_id
      where recordings.id = history.subject_id
        and recordings.organization_id = history.organization_id)
    where subject_kind = 'recording'`.execute(db);
  await index(db, "history", ["organization_id", "room", "number"], "room is not null");
}
