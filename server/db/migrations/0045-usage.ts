import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** What meetings leave for the plots of the usage; ../usage-tables.ts explains the columns. */
export const usage: Migration = { name: "0045-usage", up };

async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await makeCounters(db, types);
  await makeParts(db, types);
  await index(db, "usage_meetings", ["organization_id", "started_at"]);
  await index(db, "usage_meetings", ["organization_id", "ended_at", "started_at"]);
  await index(db, "usage_meetings", ["room_id", "ended_at"]);
  // With all that the list of the busiest people needs.
  await index(db, "usage_people", ["organization_id", "started_at", "user_id", "seconds"]);
  await index(db, "usage_people", ["user_id", "started_at"]);
  await index(db, "usage_refused", ["organization_id", "at"]);
  await index(db, "usage_refused", ["room_id"]);
  await db.schema.alterTable("organizations").addColumn("usage_filled_to", types.text).execute();
  // Meetings from before this step are counted in the background (server/usage/fill.ts).
  await db
    .updateTable("organizations" as never)
    .set({ usage_filled_to: "" } as never)
    .execute();
}

const makeCounters = async (db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("usage_meetings")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("room_id", text, (c) => c.references("rooms.id").onDelete("set null"))
    .addColumn("room_type", text, (c) => c.notNull())
    .addColumn("started_at", text, (c) => c.notNull())
    .addColumn("ended_at", text, (c) => c.notNull())
    .addColumn("seconds", bigint, (c) => c.notNull())
    .addColumn("people", bigint, (c) => c.notNull())
    .addColumn("person_seconds", bigint, (c) => c.notNull())
    .addColumn("recordings", bigint, (c) => c.notNull())
    .addColumn("steps", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("usage_meetings", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("usage_quarters")
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("starts_at", text, (c) => c.notNull())
    .addColumn("peak", bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("usage_quarters", ["organization_id", "starts_at"]), [
      "organization_id" as never,
      "starts_at" as never,
    ])
    .execute();
};

const makeParts = async (db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("usage_people")
    .addColumn("meeting_id", text, (c) => c.notNull().references("meetings.id").onDelete("cascade"))
    .addColumn("user_id", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("organization_id", text, (c) => c.notNull())
    .addColumn("started_at", text, (c) => c.notNull())
    .addColumn("seconds", bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("usage_people", ["meeting_id", "user_id"]), [
      "meeting_id" as never,
      "user_id" as never,
    ])
    .execute();
  await db.schema
    .createTable("usage_refused")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("room_id", text, (c) => c.references("rooms.id").onDelete("set null"))
    .addColumn("room_type", text, (c) => c.notNull())
    .addColumn("at", text, (c) => c.notNull())
    .addColumn("seats", bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("usage_refused", ["id"]), ["id" as never])
    .execute();
};
