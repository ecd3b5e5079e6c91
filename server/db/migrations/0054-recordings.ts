import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/**
 * Recordings, live streams and transcripts; ../recording-tables.ts and ../live-tables.ts explain the
 * columns.
 */
export const recordingTables: Migration = {
  name: "0054-recordings",
  up: async (db, { text, integer, bigint, boolean }) => {
    await sql`create table recordings (
    id ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    meeting_id ${text} not null,
    name ${text} not null,
    name_key ${text} not null,
    type ${text} not null,
    format ${text} not null,
    resolutions ${text} not null,
    state ${text} not null,
    automatic ${boolean} not null,
    started_by ${text} references users (id) on delete set null,
    started_by_name ${text} not null,
    requested_at ${text} not null,
    started_at ${text},
    ended_at ${text},
    seconds ${integer},
    bytes ${bigint},
    files ${text},
    error ${text},
    stop_asked ${boolean} not null,
    complete ${boolean} not null default true,
    process ${text},
    lease_until ${text},
    store ${text} not null,
    continues ${integer} not null default 0,
    constraint recordings_id_unique primary key (id)
  )`.execute(db);
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

    await sql`create table recording_links (
    id ${text} not null,
    digest ${text} not null,
    recording_id ${text} not null references recordings (id) on delete cascade,
    organization_id ${text} not null,
    created_by ${text} references users (id) on delete set null,
    created_at ${text} not null,
    expires_at ${text} not null,
    revoked_at ${text},
    allows ${text} not null default 'play',
    constraint recording_links_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "recording_links", ["digest"]);
    await index(db, "recording_links", ["recording_id"]);
    await index(db, "recording_links", ["created_by"]);

    await sql`create table erasures (
    id ${text} not null,
    organization_id ${text} not null,
    store ${text} not null,
    path ${text} not null,
    tries ${integer} not null,
    due_at ${text} not null,
    created_at ${text} not null,
    constraint erasures_id_unique primary key (id)
  )`.execute(db);
    await index(db, "erasures", ["due_at"]);

    await sql`create table runs (
    id ${text} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    meeting_id ${text} not null,
    topic ${text} not null,
    kind ${text},
    state ${text} not null,
    since ${text} not null,
    target ${text},
    receiver ${text},
    error ${text},
    stop_asked ${boolean} not null,
    requested_at ${text} not null,
    ended_at ${text},
    process ${text},
    lease_until ${text},
    live_at ${text},
    constraint runs_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "runs", ["meeting_id", "topic"], "ended_at is null");
    await index(db, "runs", ["lease_until"], "ended_at is null");
    await index(db, "runs", ["room_id"]);

    await sql`create table captions (
    meeting_id ${text} not null,
    number ${bigint} not null,
    organization_id ${text} not null,
    room_id ${text} not null references rooms (id) on delete cascade,
    seat_id ${text} not null,
    role ${text} not null,
    peer_name ${text} not null,
    started_at ${text} not null,
    ended_at ${text} not null,
    text ${text} not null,
    text_key ${text} not null,
    kept ${boolean} not null default true,
    constraint captions_meeting_id_number_unique primary key (meeting_id, number)
  )`.execute(db);
    await index(db, "captions", ["organization_id", "started_at"]);
    await index(db, "captions", ["room_id"]);
    await index(db, "captions", ["seat_id"]);
  },
};
