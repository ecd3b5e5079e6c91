import type { CreateTableBuilder, Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Meetings; ../meeting-tables.ts explains the columns. */
export const meetings: Migration = { name: "0003-meetings", up };

async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  // No release has filled the former table: nobody could enter a room.
  await db.schema.dropTable("meetings").execute();
  await makeMeetings(db, types);
  await makeSeats(db, types);
  await makeSaid(db, types);
  await makeDoors(db, types);
  await makeIndexes(db);
}

/** The columns that tie a row to its room: it goes with the room. */
const ofRoom = <T extends string>(table: CreateTableBuilder<T, never>, text: ColumnTypes["text"]) =>
  table
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"));

const makeMeetings = async (
  db: Kysely<unknown>,
  { text, bigint, boolean }: ColumnTypes,
): Promise<void> => {
  await ofRoom(db.schema.createTable("meetings"), text)
    .addColumn("media", text, (c) => c.notNull())
    .addColumn("opened_at", text, (c) => c.notNull())
    .addColumn("started_at", text)
    .addColumn("ended_at", text)
    .addColumn("seconds", bigint)
    .addColumn("locked", boolean, (c) => c.notNull())
    .addColumn("presenter", text)
    .addPrimaryKeyConstraint(uniqueName("meetings", ["id"]), ["id" as never])
    .execute();
};

const makeSeats = async (
  db: Kysely<unknown>,
  { text, bigint, boolean }: ColumnTypes,
): Promise<void> => {
  await ofRoom(db.schema.createTable("seats"), text)
    .addColumn("meeting_id", text, (c) => c.notNull().references("meetings.id").onDelete("cascade"))
    .addColumn("role", text, (c) => c.notNull())
    .addColumn("person", text, (c) => c.notNull())
    .addColumn("user_id", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("peer_name", text, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("ticket_digest", text, (c) => c.notNull())
    .addColumn("lease_until", text)
    .addColumn("process", text)
    .addColumn("connection", bigint, (c) => c.notNull())
    .addColumn("media_process", text)
    .addColumn("media_connection", bigint, (c) => c.notNull())
    .addColumn("claimed_at", text, (c) => c.notNull())
    .addColumn("joined_at", text)
    .addColumn("last_seen", text)
    .addColumn("left_at", text)
    .addColumn("reason", text)
    .addColumn("audio", boolean, (c) => c.notNull())
    .addColumn("video", boolean, (c) => c.notNull())
    .addColumn("share", boolean, (c) => c.notNull())
    .addColumn("hand_at", text)
    .addColumn("upgraded", boolean, (c) => c.notNull())
    .addColumn("upgrade", text)
    .addColumn("upgrade_at", text)
    .addPrimaryKeyConstraint(uniqueName("seats", ["id"]), ["id" as never])
    .execute();
};

const makeSaid = async (db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("chat")
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("number", bigint, (c) => c.notNull())
    .addColumn("meeting_id", text, (c) => c.notNull())
    .addColumn("seat_id", text, (c) => c.notNull())
    .addColumn("peer_name", text, (c) => c.notNull())
    .addColumn("text", text, (c) => c.notNull())
    .addColumn("sent_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("chat", ["room_id", "number"]), [
      "room_id",
      "number",
    ] as never)
    .execute();
  await db.schema
    .createTable("seat_messages")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("meeting_id", text, (c) => c.notNull().references("meetings.id").onDelete("cascade"))
    .addColumn("seat_id", text, (c) => c.notNull())
    .addColumn("message", text, (c) => c.notNull())
    .addColumn("sent_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("seat_messages", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("processes")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("alive_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("processes", ["id"]), ["id" as never])
    .execute();
};

const makeDoors = async (db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> => {
  await ofRoom(db.schema.createTable("bans"), text)
    .addColumn("meeting_id", text)
    .addColumn("person", text, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("bans", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("room_links")
    .addColumn("code", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("ended_at", text)
    .addPrimaryKeyConstraint(uniqueName("room_links", ["code"]), ["code" as never])
    .execute();
  await db.schema
    .createTable("invitations")
    .addColumn("digest", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("access_key_id", text, (c) =>
      c.notNull().references("access_keys.id").onDelete("cascade"),
    )
    .addColumn("person", text, (c) => c.notNull())
    .addColumn("peer_name", text, (c) => c.notNull())
    .addColumn("role", text, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("expires_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("invitations", ["digest"]), ["digest" as never])
    .execute();
};

/** For uniqueness, for what is looked up while a meeting runs, and for every foreign key. */
const makeIndexes = async (db: Kysely<unknown>): Promise<void> => {
  await uniqueIndex(db, "meetings", ["room_id"], "ended_at is null");
  await index(db, "meetings", ["room_id", "started_at"]);
  await index(db, "meetings", ["organization_id", "started_at"]);
  await index(db, "meetings", ["organization_id"], "ended_at is null");
  await uniqueIndex(
    db,
    "seats",
    ["meeting_id", "person"],
    "left_at is null and state <> 'leaving'",
  );
  await uniqueIndex(db, "seats", ["ticket_digest"]);
  await index(db, "seats", ["meeting_id", "claimed_at"]);
  await index(db, "seats", ["lease_until"], "lease_until is not null");
  await index(db, "seats", ["process"], "process is not null");
  await index(db, "seats", ["user_id"]);
  await index(db, "seats", ["room_id"]);
  await index(db, "seat_messages", ["meeting_id"]);
  await index(db, "bans", ["room_id", "person"]);
  await index(db, "room_links", ["room_id"]);
  await index(db, "invitations", ["room_id"]);
  await index(db, "invitations", ["access_key_id"]);
  await index(db, "invitations", ["expires_at"]);
};
