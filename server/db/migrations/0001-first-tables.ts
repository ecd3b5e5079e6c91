import { type Kysely, sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** All tables of the first release; ../tables.ts explains the columns. */
export const firstTables: Migration = { name: "0001-first-tables", up };

async function up(
  db: Kysely<unknown>,
  { text, integer, bigint, boolean, inKeyOrder }: ColumnTypes,
): Promise<void> {
  await sql`create table service (
    id ${integer} not null,
    seal_check ${text},
    initialized_at ${text},
    constraint service_id_unique primary key (id)
  )`.execute(db);
  await sql`create table organizations (
    id ${text} not null,
    name ${text} not null,
    name_key ${text} not null,
    plan ${text},
    max_rooms ${bigint},
    max_users ${bigint},
    used_rooms ${bigint} not null,
    used_users ${bigint} not null,
    users_by_role ${text} not null,
    created_at ${text} not null,
    constraint organizations_id_unique primary key (id)
  )`.execute(db);
  await sql`create table users (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    email ${text} not null,
    email_key ${text} not null,
    email_fold ${text} not null,
    name ${text} not null,
    name_key ${text} not null,
    username ${text} not null,
    profile_id ${text} not null,
    role ${text} not null,
    admin ${boolean} not null,
    location ${text},
    meet_now_enabled ${boolean} not null,
    display_rating ${boolean} not null,
    tags ${text} not null,
    account_suspended ${boolean} not null,
    account_deleted ${boolean} not null,
    password_digest ${text} not null,
    credentials ${bigint} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    constraint users_id_unique primary key (id)
  )`.execute(db);
  // The long texts come last: SQLite then reads the other columns without touching them.
  await sql`create table rooms (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    room ${text} not null,
    name ${text} not null,
    name_key ${text} not null,
    created_by ${text} references users (id) on delete set null,
    created_at ${text} not null,
    updated_at ${text} not null,
    deleted_at ${text},
    form ${integer} not null,
    record ${text} not null,
    extras ${text} not null,
    constraint rooms_id_unique primary key (id)
  )`.execute(db);
  await sql`create table room_owners (
    user_id ${text} not null references users (id) on delete cascade,
    room_id ${text} not null references rooms (id) on delete cascade,
    organization_id ${text} not null,
    constraint room_owners_user_id_room_id_unique primary key (user_id, room_id)
  ) ${inKeyOrder}`.execute(db);
  await sql`create table meetings (
    id ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    started_at ${text} not null,
    ended_at ${text},
    inside ${text} not null,
    constraint meetings_id_unique primary key (id)
  )`.execute(db);
  await sql`create table access_keys (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    secret_digest ${text} not null,
    created_at ${text} not null,
    constraint access_keys_id_unique primary key (id)
  )`.execute(db);
  await sql`create table tokens (
    digest ${text} not null,
    purpose ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    user_id ${text} references users (id) on delete cascade,
    access_key_id ${text} references access_keys (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null,
    constraint tokens_digest_unique primary key (digest),
    constraint tokens_one_holder check ((user_id is null) <> (access_key_id is null))
  )`.execute(db);
  await sql`create table throttles (
    key ${text} not null,
    used_until ${text} not null,
    constraint throttles_key_unique primary key (key)
  )`.execute(db);
  await sql`create table letters (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    user_id ${text} references users (id) on delete set null,
    kind ${text} not null,
    recipient ${text} not null,
    credentials ${bigint} not null,
    state ${text} not null,
    content ${text},
    attempts ${integer} not null,
    due_at ${text} not null,
    last_error ${text},
    created_at ${text} not null,
    ended_at ${text},
    constraint letters_id_unique primary key (id)
  )`.execute(db);
  await sql`insert into service (id) values (1)`.execute(db);
  await makeFirstIndexes(db);
}

/** Indexes for uniqueness, for the order of every list, and for every foreign key. */
const makeFirstIndexes = async (db: Kysely<unknown>): Promise<void> => {
  await uniqueIndex(db, "organizations", ["name_key"]);

  await uniqueIndex(db, "users", ["email_key"]);
  await uniqueIndex(db, "users", ["username"]);
  // One role in either order, and several or all roles by name.
  await index(db, "users", ["organization_id", "account_deleted", "role", "name_key", "id"]);
  await index(db, "users", ["organization_id", "account_deleted", "role", "created_at", "id"]);
  await index(db, "users", ["organization_id", "account_deleted", "name_key", "id"]);

  await uniqueIndex(db, "rooms", ["organization_id", "room"]);
  await index(db, "rooms", ["created_by"]);
  // The index alone finds a page or a name; only the rows of the page are read.
  await index(db, "rooms", ["organization_id", "name_key", "id"], "deleted_at is null");
  await index(
    db,
    "rooms",
    ["organization_id", "created_at", "id", "name_key"],
    "deleted_at is null",
  );
  await index(
    db,
    "rooms",
    ["organization_id", "updated_at", "id", "name_key"],
    "deleted_at is null",
  );

  await index(db, "room_owners", ["room_id"]);

  await uniqueIndex(db, "meetings", ["room_id"], "ended_at is null");
  await index(db, "meetings", ["room_id", "started_at"]);
  await index(db, "meetings", ["organization_id"], "ended_at is null");

  await index(db, "access_keys", ["organization_id", "created_at", "id"]);

  await index(db, "tokens", ["expires_at"]);
  await index(db, "tokens", ["user_id"]);
  await index(db, "tokens", ["access_key_id"]);
  await index(db, "tokens", ["organization_id"]);
  await index(db, "throttles", ["used_until"]);

  await index(db, "letters", ["due_at", "id"], "state = 'waiting'");
  await index(db, "letters", ["organization_id", "created_at", "id"]);
  await index(db, "letters", ["organization_id", "state"]);
  await index(db, "letters", ["user_id"]);
};
