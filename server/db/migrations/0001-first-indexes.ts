import type { Kysely } from "kysely";
import { index, uniqueIndex } from "./table.ts";

/** Indexes for uniqueness, for the order of every list, and for every foreign key. */
export const makeFirstIndexes = async (db: Kysely<unknown>): Promise<void> => {
  await uniqueIndex(db, "organizations", ["name_key"]);

  await uniqueIndex(db, "users", ["email_key"]);
  await uniqueIndex(db, "users", ["username"]);
  // One role in each order, and several roles or all by name.
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
