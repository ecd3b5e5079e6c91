import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Accounts, how they and programs come in, and emails to them; ../tables.ts explains the columns. */
export const peopleTables: Migration = {
  name: "0051-people",
  up: async (db, { text, integer, bigint, boolean }) => {
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
    gone_at ${text},
    personal_room ${text},
    hidden_notice ${text},
    time_zone ${text},
    color_scheme ${text} not null default 'auto',
    constraint users_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "users", ["email_key"]);
    await uniqueIndex(db, "users", ["username"]);
    // One role in either order, and several or all roles by name.
    await index(db, "users", ["organization_id", "account_deleted", "role", "name_key", "id"]);
    await index(db, "users", ["organization_id", "account_deleted", "role", "created_at", "id"]);
    await index(db, "users", ["organization_id", "account_deleted", "name_key", "id"]);
    await index(db, "users", ["organization_id", "id"], "gone_at is not null");

    await sql`create table access_keys (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    secret_digest ${text} not null,
    created_at ${text} not null,
    name ${text} not null default '',
    scope ${text} not null default 'everything',
    expires_at ${text},
    last_used_at ${text},
    constraint access_keys_id_unique primary key (id)
  )`.execute(db);
    await index(db, "access_keys", ["organization_id", "created_at", "id"]);

    await sql`create table tokens (
    digest ${text} not null,
    purpose ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    user_id ${text} references users (id) on delete cascade,
    access_key_id ${text} references access_keys (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null,
    session ${text},
    user_agent ${text},
    constraint tokens_digest_unique primary key (digest),
    constraint tokens_one_holder check ((user_id is null) <> (access_key_id is null))
  )`.execute(db);
    await index(db, "tokens", ["expires_at"]);
    await index(db, "tokens", ["user_id"]);
    await index(db, "tokens", ["access_key_id"]);
    await index(db, "tokens", ["organization_id"]);

    await sql`create table throttles (
    key ${text} not null,
    used_until ${text} not null,
    constraint throttles_key_unique primary key (key)
  )`.execute(db);
    await index(db, "throttles", ["used_until"]);

    await sql`create table kept_answers (
    digest ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    request ${text} not null,
    claim ${text} not null,
    lease_until ${text} not null,
    answer ${text},
    created_at ${text} not null,
    subject_id text,
    constraint kept_answers_digest_unique primary key (digest)
  )`.execute(db);
    await index(db, "kept_answers", ["created_at"]);
    await index(db, "kept_answers", ["subject_id"], "subject_id is not null");

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
    retried_at ${text},
    sent_to ${text},
    held_for ${text},
    constraint letters_id_unique primary key (id)
  )`.execute(db);
    await index(db, "letters", ["due_at", "id"], "state = 'waiting'");
    await index(db, "letters", ["organization_id", "created_at", "id"]);
    await index(db, "letters", ["organization_id", "state"]);
    await index(db, "letters", ["user_id"]);
  },
};
