import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Live streams and transcripts of meetings; ../live-tables.ts explains the columns. */
export const live: Migration = { name: "0005-live", up };

async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await makeRuns(db, types);
  await makeCaptions(db, types);
  await uniqueIndex(db, "runs", ["meeting_id", "topic"], "ended_at is null");
  await index(db, "runs", ["lease_until"], "ended_at is null");
  await index(db, "runs", ["room_id"]);
  await index(db, "captions", ["organization_id", "started_at"]);
  await index(db, "captions", ["room_id"]);
  await index(db, "captions", ["seat_id"]);
}

const makeRuns = async (db: Kysely<unknown>, { text, boolean }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("runs")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("meeting_id", text, (c) => c.notNull())
    .addColumn("topic", text, (c) => c.notNull())
    .addColumn("kind", text)
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("since", text, (c) => c.notNull())
    .addColumn("target", text)
    .addColumn("receiver", text)
    .addColumn("error", text)
    .addColumn("stop_asked", boolean, (c) => c.notNull())
    .addColumn("requested_at", text, (c) => c.notNull())
    .addColumn("ended_at", text)
    .addColumn("process", text)
    .addColumn("lease_until", text)
    .addPrimaryKeyConstraint(uniqueName("runs", ["id"]), ["id" as never])
    .execute();
};

const makeCaptions = async (db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("captions")
    .addColumn("meeting_id", text, (c) => c.notNull())
    .addColumn("number", bigint, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("seat_id", text, (c) => c.notNull())
    .addColumn("role", text, (c) => c.notNull())
    .addColumn("peer_name", text, (c) => c.notNull())
    .addColumn("started_at", text, (c) => c.notNull())
    .addColumn("ended_at", text, (c) => c.notNull())
    .addColumn("text", text, (c) => c.notNull())
    .addColumn("text_key", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("captions", ["meeting_id", "number"]), [
      "meeting_id",
      "number",
    ] as never)
    .execute();
};
