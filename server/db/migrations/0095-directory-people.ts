import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** What a directory says of people by SCIM; ../provider-tables.ts explains the columns. */
export const directoryPeople: Migration = {
  name: "0095-directory-people",
  up: async (db, { text }) => {
    await sql`create table directory_people (
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    user_name ${text} not null,
    user_name_key ${text} not null,
    external_id ${text},
    given_name ${text},
    family_name ${text},
    constraint directory_people_user_unique primary key (user_id)
  )`.execute(db);
    await uniqueIndex(db, "directory_people", ["organization_id", "user_name_key"]);
    await index(db, "directory_people", ["organization_id", "external_id"]);
  },
};
