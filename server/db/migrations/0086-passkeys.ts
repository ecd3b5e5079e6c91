import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index } from "./table.ts";

/** Passkeys and what they are asked to sign; ../factor-tables.ts explains the columns. */
export const passkeyTables: Migration = {
  name: "0086-passkeys",
  up: async (db, { text, bigint }) => {
    await sql`create table passkeys (
    id ${text} not null,
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    credential_id ${text} not null,
    public_key ${text} not null,
    counter ${bigint} not null,
    transports ${text} not null,
    name ${text} not null,
    created_at ${text} not null,
    used_at ${text},
    constraint passkeys_id_unique primary key (id),
    constraint passkeys_credential_id_unique unique (credential_id)
  )`.execute(db);
    await index(db, "passkeys", ["user_id"]);
    await index(db, "passkeys", ["organization_id"]);
    await sql`create table passkey_challenges (
    challenge ${text} not null,
    purpose ${text} not null,
    user_id ${text} references users (id) on delete cascade,
    expires_at ${text} not null,
    constraint passkey_challenges_challenge_unique primary key (challenge)
  )`.execute(db);
    await index(db, "passkey_challenges", ["user_id"]);
    await index(db, "passkey_challenges", ["expires_at"]);
  },
};
