import { type Kysely, sql } from "kysely";
import { uniqueName } from "../errors.ts";
import { makeFirstIndexes } from "./0001-first-indexes.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/** All tables of the first release; ../tables.ts explains the columns. */
export const firstTables: Migration = { name: "0001-first-tables", up };

async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await makePeople(db, types);
  await makeRooms(db, types);
  await makeAccess(db, types);
  await makeLetters(db, types);
  await makeFirstIndexes(db);
  await sql`insert into service (id) values (1)`.execute(db);
}

const makePeople = async (
  db: Kysely<unknown>,
  { text, integer, bigint, boolean }: ColumnTypes,
): Promise<void> => {
  await db.schema
    .createTable("service")
    .addColumn("id", integer, (c) => c.notNull())
    .addColumn("seal_check", text)
    .addColumn("initialized_at", text)
    .addPrimaryKeyConstraint(uniqueName("service", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("organizations")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("name_key", text, (c) => c.notNull())
    .addColumn("plan", text)
    .addColumn("max_rooms", bigint)
    .addColumn("max_users", bigint)
    .addColumn("used_rooms", bigint, (c) => c.notNull())
    .addColumn("used_users", bigint, (c) => c.notNull())
    .addColumn("users_by_role", text, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("organizations", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("users")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("email", text, (c) => c.notNull())
    .addColumn("email_key", text, (c) => c.notNull())
    .addColumn("email_fold", text, (c) => c.notNull())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("name_key", text, (c) => c.notNull())
    .addColumn("username", text, (c) => c.notNull())
    .addColumn("profile_id", text, (c) => c.notNull())
    .addColumn("role", text, (c) => c.notNull())
    .addColumn("admin", boolean, (c) => c.notNull())
    .addColumn("location", text)
    .addColumn("meet_now_enabled", boolean, (c) => c.notNull())
    .addColumn("display_rating", boolean, (c) => c.notNull())
    .addColumn("tags", text, (c) => c.notNull())
    .addColumn("account_suspended", boolean, (c) => c.notNull())
    .addColumn("account_deleted", boolean, (c) => c.notNull())
    .addColumn("password_digest", text, (c) => c.notNull())
    .addColumn("credentials", bigint, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("updated_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("users", ["id"]), ["id" as never])
    .execute();
};

const makeRooms = async (
  db: Kysely<unknown>,
  { text, integer, inKeyOrder }: ColumnTypes,
): Promise<void> => {
  // The long texts come last: SQLite then reads the other columns without touching them.
  await db.schema
    .createTable("rooms")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("room", text, (c) => c.notNull())
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("name_key", text, (c) => c.notNull())
    .addColumn("created_by", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("updated_at", text, (c) => c.notNull())
    .addColumn("deleted_at", text)
    .addColumn("form", integer, (c) => c.notNull())
    .addColumn("record", text, (c) => c.notNull())
    .addColumn("extras", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("rooms", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("room_owners")
    .addColumn("user_id", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("organization_id", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("room_owners", ["user_id", "room_id"]), [
      "user_id",
      "room_id",
    ] as never)
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createTable("meetings")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("started_at", text, (c) => c.notNull())
    .addColumn("ended_at", text)
    .addColumn("inside", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("meetings", ["id"]), ["id" as never])
    .execute();
};

const makeAccess = async (db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("access_keys")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("secret_digest", text, (c) => c.notNull())
    .addColumn("created_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("access_keys", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("tokens")
    .addColumn("digest", text, (c) => c.notNull())
    .addColumn("purpose", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("user_id", text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("access_key_id", text, (c) => c.references("access_keys.id").onDelete("cascade"))
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("expires_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("tokens", ["digest"]), ["digest" as never])
    .addCheckConstraint("tokens_one_holder", sql`(user_id is null) <> (access_key_id is null)`)
    .execute();
  await db.schema
    .createTable("throttles")
    .addColumn("key", text, (c) => c.notNull())
    .addColumn("used_until", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("throttles", ["key"]), ["key" as never])
    .execute();
};

const makeLetters = async (
  db: Kysely<unknown>,
  { text, integer, bigint }: ColumnTypes,
): Promise<void> => {
  await db.schema
    .createTable("letters")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("user_id", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("recipient", text, (c) => c.notNull())
    .addColumn("credentials", bigint, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("content", text)
    .addColumn("attempts", integer, (c) => c.notNull())
    .addColumn("due_at", text, (c) => c.notNull())
    .addColumn("last_error", text)
    .addColumn("created_at", text, (c) => c.notNull())
    .addColumn("ended_at", text)
    .addPrimaryKeyConstraint(uniqueName("letters", ["id"]), ["id" as never])
    .execute();
};
