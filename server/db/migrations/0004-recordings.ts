import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Recordings of meetings; ../recording-tables.ts explains the columns. */
export const recordings: Migration = { name: "0004-recordings", up };

async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await makeRecordings(db, types);
  await makeLinks(db, types);
  await makeErasures(db, types);
  await makeIndexes(db);
  // Settings of organizations begin with one of recordings (contract/kit/organization-settings.ts).
  await db.schema
    .alterTable("organizations")
    .addColumn("settings", types.text, (c) => c.notNull().defaultTo("{}"))
    .execute();
  await db.schema
    .alterTable("processes")
    .addColumn("recorders", types.integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

const makeRecordings = async (
  db: Kysely<unknown>,
  { text, integer, bigint, boolean }: ColumnTypes,
): Promise<void> => {
  await db.schema
    .createTable("recordings")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("meeting_id", text, (c) => c.notNull())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("name_key", text, (c) => c.notNull())
    .addColumn("type", text, (c) => c.notNull())
    .addColumn("format", text, (c) => c.notNull())
    .addColumn("resolutions", text, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("automatic", boolean, (c) => c.notNull())
    .addColumn("started_by", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("started_by_name", text, (c) => c.notNull())
    .addColumn("requested_at", text, (c) => c.notNull())
    .addColumn("started_at", text)
    .addColumn("ended_at", text)
    .addColumn("seconds", integer)
    .addColumn("bytes", bigint)
    .addColumn("files", text)
    .addColumn("error", text)
    .addColumn("stop_asked", boolean, (c) => c.notNull())
    .addColumn("complete", boolean, (c) => c.notNull().defaultTo(true))
    .addColumn("process", text)
    .addColumn("lease_until", text)
    .addColumn("store", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("recordings", ["id"]), ["id" as never])
    .execute();
};

const makeLinks = async (db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("recording_links")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("digest", text, (c) => c.notNull())
    .addColumn("recording_id", text, (c) =>
      c.notNull().references("recordings.id").onDelete("cascade"),
    )
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("created_by", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("expires_at", text, (c) => c.notNull())
    .addColumn("revoked_at", text)
    .addPrimaryKeyConstraint(uniqueName("recording_links", ["id"]), ["id" as never])
    .execute();
};

const makeErasures = async (db: Kysely<unknown>, { text, integer }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("erasures")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("store", text, (c) => c.notNull())
    .addColumn("path", text, (c) => c.notNull())
    .addColumn("tries", integer, (c) => c.notNull())
    .addColumn("due_at", text, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("erasures", ["id"]), ["id" as never])
    .execute();
};

/** For uniqueness, for lists, for what the service looks for every second, and for foreign keys. */
const makeIndexes = async (db: Kysely<unknown>): Promise<void> => {
  await uniqueIndex(db, "recordings", ["room_id"], "state in ('queued', 'starting', 'active')");
  await index(db, "recordings", ["room_id", "requested_at"]);
  await index(db, "recordings", ["organization_id", "requested_at"]);
  await index(db, "recordings", ["started_by"]);
  await index(db, "recordings", ["lease_until"], "lease_until is not null");
  await index(
    db,
    "recordings",
    ["state", "requested_at"],
    "state in ('queued', 'starting', 'active', 'ending')",
  );
  await uniqueIndex(db, "recording_links", ["digest"]);
  await index(db, "recording_links", ["recording_id"]);
  await index(db, "recording_links", ["created_by"]);
  await index(db, "erasures", ["due_at"]);
};
