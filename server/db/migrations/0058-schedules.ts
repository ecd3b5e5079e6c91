import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/**
 * Dates of rooms, who is invited, and the emails about them that are still to be written;
 * ../schedule-tables.ts explains the columns.
 */
export const scheduleTables: Migration = {
  name: "0058-schedules",
  up: async (db, { text, bigint }) => {
    await sql`create table schedules (
    room_id ${text} not null references rooms (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    uid ${text} not null,
    sequence ${bigint} not null,
    starts_at ${text} not null,
    time_zone ${text} not null,
    minutes ${bigint} not null,
    repetition ${text},
    ends_at ${text} not null,
    remind_at ${text},
    constraint schedules_room_id_unique primary key (room_id)
  )`.execute(db);
    await index(db, "schedules", ["organization_id", "remind_at"]);
    await index(db, "schedules", ["remind_at"], "remind_at is not null");

    await sql`create table invitees (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    room_id ${text} not null references rooms (id) on delete cascade,
    user_id ${text} references users (id) on delete cascade,
    email ${text},
    invitee ${text} not null,
    letter_id ${text},
    constraint invitees_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "invitees", ["room_id", "invitee"]);
    await index(db, "invitees", ["user_id"]);
    await index(db, "invitees", ["organization_id", "invitee"]);

    await sql`create table notices (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    user_id ${text} references users (id) on delete cascade,
    email ${text},
    invitee ${text} not null,
    uid ${text} not null,
    topic ${text} not null,
    kind ${text} not null,
    event ${text} not null,
    due_at ${text} not null,
    constraint notices_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "notices", ["uid", "topic", "invitee"]);
    await index(db, "notices", ["due_at"]);
    await index(db, "notices", ["organization_id", "invitee"]);
    await index(db, "notices", ["user_id"]);
  },
};
