import type { Kysely } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * What a meeting keeps from its beginning, and a seat of its shared screen; ../meeting-tables.ts
 * explains it.
 */
export const whatMeetingsKeep: Migration = { name: "0014-what-meetings-keep", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("meetings").addColumn("room_type", text).execute();
  await db.schema.alterTable("seats").addColumn("share_since", text).execute();
}
