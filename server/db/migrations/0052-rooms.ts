import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Rooms and their owners; ../tables.ts explains the columns. */
export const roomTables: Migration = {
  name: "0052-rooms",
  up: async (db, { text, integer, boolean, inKeyOrder }) => {
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
    waits_for_host ${boolean} not null default false,
    order_key ${text} not null default '',
    type ${text} not null default '',
    state ${text} not null default '',
    use_key ${text} not null default '',
    planned_at ${text},
    constraint rooms_id_unique primary key (id)
  )`.execute(db);
    await uniqueIndex(db, "rooms", ["organization_id", "room"]);
    await index(db, "rooms", ["created_by"]);
    // A page and its filters are found in one of these indexes; only the rows of the page are read.
    for (const order of [
      ["name_key", "id"],
      ["order_key", "id", "name_key"],
      ["created_at", "id", "name_key"],
      ["updated_at", "id", "name_key"],
      ["use_key", "id", "name_key"],
    ]) {
      const columns = ["organization_id", ...order, "room", "type", "state"];
      await index(db, "rooms", columns, "deleted_at is null");
    }

    await sql`create table room_owners (
    user_id ${text} not null references users (id) on delete cascade,
    room_id ${text} not null references rooms (id) on delete cascade,
    organization_id ${text} not null,
    constraint room_owners_user_id_room_id_unique primary key (user_id, room_id)
  ) ${inKeyOrder}`.execute(db);
    await index(db, "room_owners", ["room_id"]);
  },
};
