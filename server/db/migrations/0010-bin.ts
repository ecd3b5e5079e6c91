import { type Kysely, sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/**
 * Rooms and people in the recycle bin, and rooms that are handed over; ../bin-table.ts explains the
 * columns.
 */
export const bin: Migration = { name: "0010-bin", up };

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
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
  await sql`create table hand_overs (
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    heirs ${text} not null,
    by_user ${text} references users (id) on delete set null,
    by_access_key ${text},
    created_at ${text} not null,
    constraint hand_overs_user_id_unique primary key (user_id)
  )`.execute(db);
  await index(db, "hand_overs", ["organization_id", "created_at"]);
  await index(db, "hand_overs", ["by_user"]);
  await uniqueIndex(db, "bin", ["room_id"]);
  await uniqueIndex(db, "bin", ["user_id"]);
  await index(db, "bin", ["organization_id", "deleted_at", "id"]);
  await index(db, "bin", ["ends_at"]);
}
