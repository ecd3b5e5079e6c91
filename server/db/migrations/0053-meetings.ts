import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Meetings; ../meeting-tables.ts explains the columns. */
export const meetingTables: Migration = {
  name: "0053-meetings",
  up: async (db, { text, integer, bigint, boolean }) => {
    await sql`create table meetings (
    id ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    media ${text} not null,
    opened_at ${text} not null,
    started_at ${text},
    ended_at ${text},
    seconds ${bigint},
    locked ${boolean} not null,
    presenter ${text},
    room_type ${text},
    mutes_entry ${boolean} not null default false,
    constraint meetings_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "meetings", ["room_id"], "ended_at is null");
    await index(db, "meetings", ["room_id", "started_at"]);
    await index(db, "meetings", ["organization_id", "started_at"]);
    await index(db, "meetings", ["organization_id"], "ended_at is null");

    await sql`create table seats (
    id ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    meeting_id ${text} not null references meetings (id) on delete cascade,
    role ${text} not null,
    person ${text} not null,
    user_id ${text} references users (id) on delete set null,
    peer_name ${text} not null,
    state ${text} not null,
    ticket_digest ${text} not null,
    lease_until ${text},
    process ${text},
    connection ${bigint} not null,
    media_process ${text},
    media_connection ${bigint} not null,
    claimed_at ${text} not null,
    joined_at ${text},
    last_seen ${text},
    left_at ${text},
    reason ${text},
    audio ${boolean} not null,
    video ${boolean} not null,
    share ${boolean} not null,
    hand_at ${text},
    upgraded ${boolean} not null,
    upgrade ${text},
    upgrade_at ${text},
    claimed_from ${text},
    share_since ${text},
    device ${text},
    role_limit ${text},
    waits_for ${text},
    quality ${text},
    returns ${boolean} not null default false,
    rating ${integer},
    constraint seats_id_unique primary key (id)
  )`.execute(db);
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
    // The seats that have not ended, and those that ended and were never entered.
    await index(db, "seats", ["meeting_id", "claimed_at", "id"], "left_at is null");
    await index(db, "seats", ["user_id", "left_at"], "left_at is not null and joined_at is null");
    await index(db, "seats", ["meeting_id", "person"], "role_limit is not null");
    // The seat of a browser, without the account with which it was taken.
    await index(db, "seats", ["device"], "device is not null and left_at is null");

    await sql`create table chat (
    room_id ${text} not null references rooms (id) on delete cascade,
    number ${bigint} not null,
    meeting_id ${text} not null,
    seat_id ${text} not null,
    peer_name ${text} not null,
    text ${text} not null,
    sent_at ${text} not null,
    role ${text},
    constraint chat_room_id_number_unique primary key (room_id, number)
  )`.execute(db);

    await sql`create table seat_messages (
    id ${text} not null,
    meeting_id ${text} not null references meetings (id) on delete cascade,
    seat_id ${text} not null,
    message ${text} not null,
    sent_at ${text} not null,
    constraint seat_messages_id_unique primary key (id)
  )`.execute(db);
    await index(db, "seat_messages", ["meeting_id"]);

    await sql`create table processes (
    id ${text} not null,
    alive_at ${text} not null,
    recorders ${integer} not null default 0,
    records ${boolean} not null default false,
    constraint processes_id_unique primary key (id)
  )`.execute(db);

    await sql`create table bans (
    id ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    meeting_id ${text},
    person ${text} not null,
    created_at ${text} not null,
    ends_at ${text},
    seat_id ${text},
    constraint bans_id_unique primary key (id)
  )`.execute(db);
    await index(db, "bans", ["room_id", "person"]);

    await sql`create table room_links (
    code ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    created_at ${text} not null,
    ended_at ${text},
    is_over ${boolean} not null default false,
    constraint room_links_code_unique primary key (code)
  )`.execute(db);
    await index(db, "room_links", ["room_id"]);

    await sql`create table invitations (
    digest ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    access_key_id ${text} not null references access_keys (id) on delete cascade,
    person ${text} not null,
    peer_name ${text} not null,
    role ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    constraint invitations_digest_unique primary key (digest)
  )`.execute(db);
    await index(db, "invitations", ["room_id"]);
    await index(db, "invitations", ["access_key_id"]);
    await index(db, "invitations", ["expires_at"]);
  },
};
