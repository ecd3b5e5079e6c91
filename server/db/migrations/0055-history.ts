import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/**
 * Who changed what, what is being taken back, the recycle bin, and rooms that are handed over;
 * ../history-tables.ts and ../bin-table.ts explain the columns.
 */
export const historyTables: Migration = {
  name: "0055-history",
  up: async (db, { text, bigint }) => {
    await sql`create table history (
    organization_id ${text} not null references organizations (id) on delete cascade,
    number ${bigint} not null,
    at ${text} not null,
    kind ${text} not null,
    change_id ${text} not null,
    actor_kind ${text} not null,
    actor_id ${text},
    subject_kind ${text} not null,
    subject_id ${text} not null,
    who ${text},
    who_digest ${text} not null,
    facts ${text},
    facts_digest ${text} not null,
    actor_key ${text},
    subject_key ${text},
    digest ${text} not null,
    undoes ${bigint},
    part_of ${bigint},
    room ${text},
    constraint history_organization_id_number_unique primary key (organization_id, number)
  )`.execute(db);
    await index(db, "history", ["organization_id", "subject_id", "number"]);
    await index(db, "history", ["organization_id", "actor_id", "number"]);
    await index(db, "history", ["organization_id", "part_of", "number"], "part_of is not null");
    await index(db, "history", ["organization_id", "room", "number"], "room is not null");

    await sql`create table undoings (
    organization_id ${text} not null references organizations (id) on delete cascade,
    number ${bigint} not null,
    state ${text} not null,
    entry ${bigint},
    entries ${bigint} not null,
    reached ${bigint} not null,
    done ${bigint} not null,
    stayed ${bigint} not null,
    constraint undoings_organization_id_number_unique primary key (organization_id, number)
  )`.execute(db);

    await sql`create table bin (
    id ${text} not null,
    organization_id ${text} not null references organizations (id) on delete cascade,
    room_id ${text} references rooms (id) on delete cascade,
    user_id ${text} references users (id) on delete cascade,
    name ${text} not null,
    name_key ${text} not null,
    kept ${text} not null,
    deleted_at ${text} not null,
    ends_at ${text} not null,
    constraint bin_id_unique primary key (id),
    constraint bin_one_thing check ((room_id is null) <> (user_id is null))
  )`.execute(db);
    await uniqueIndex(db, "bin", ["room_id"]);
    await uniqueIndex(db, "bin", ["user_id"]);
    await index(db, "bin", ["organization_id", "deleted_at", "id"]);
    await index(db, "bin", ["ends_at"]);

    await sql`create table hand_overs (
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    heirs ${text} not null,
    by_user ${text} references users (id) on delete set null,
    by_access_key ${text},
    created_at ${text} not null,
    entry ${bigint},
    constraint hand_overs_user_id_unique primary key (user_id)
  )`.execute(db);
    await index(db, "hand_overs", ["organization_id", "created_at"]);
    await index(db, "hand_overs", ["by_user"]);
  },
};
