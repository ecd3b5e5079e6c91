import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** What meetings leave for the plots of the usage; ../usage-tables.ts explains the columns. */
export const usageTables: Migration = {
  name: "0059-usage",
  up: async (db, { text, bigint }) => {
    await sql`create table usage_meetings (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    room_id ${text} references rooms (id) on delete set null,
    room_type ${text} not null,
    started_at ${text} not null,
    ended_at ${text} not null,
    seconds ${bigint} not null,
    people ${bigint} not null,
    person_seconds ${bigint} not null,
    recordings ${bigint} not null,
    steps ${text} not null,
    constraint usage_meetings_id_unique primary key (id)
  )`.execute(db);
    await index(db, "usage_meetings", ["organization_id", "started_at"]);
    await index(db, "usage_meetings", ["organization_id", "ended_at", "started_at"]);
    await index(db, "usage_meetings", ["room_id", "ended_at"]);

    await sql`create table usage_quarters (
    organization_id ${text} not null references organizations (id) on delete cascade,
    starts_at ${text} not null,
    peak ${bigint} not null,
    constraint usage_quarters_organization_id_starts_at_unique primary key (organization_id, starts_at)
  )`.execute(db);

    await sql`create table usage_people (
    meeting_id ${text} not null references meetings (id) on delete cascade,
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null,
    started_at ${text} not null,
    seconds ${bigint} not null,
    constraint usage_people_meeting_id_user_id_unique primary key (meeting_id, user_id)
  )`.execute(db);
    // With all that the list of the busiest people needs.
    await index(db, "usage_people", ["organization_id", "started_at", "user_id", "seconds"]);
    await index(db, "usage_people", ["user_id", "started_at"]);

    await sql`create table usage_refused (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    room_id ${text} references rooms (id) on delete set null,
    room_type ${text} not null,
    at ${text} not null,
    seats ${bigint} not null,
    constraint usage_refused_id_unique primary key (id)
  )`.execute(db);
    await index(db, "usage_refused", ["organization_id", "at"]);
    await index(db, "usage_refused", ["room_id"]);
  },
};
