import type { Kysely } from "kysely";
import { uniqueName } from "../errors.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index, uniqueIndex } from "./table.ts";

/** Schedules of rooms, who is invited, and the emails about them that are still to be written. */
export const schedules: Migration = {
  name: "0038-schedules",
  up: async (db, types) => {
    await makeSchedules(db, types);
    await makeInvited(db, types);
    await index(db, "schedules", ["organization_id", "remind_at"]);
    await index(db, "schedules", ["remind_at"], "remind_at is not null");
    await uniqueIndex(db, "invitees", ["room_id", "invitee"]);
    await index(db, "invitees", ["user_id"]);
    await index(db, "invitees", ["organization_id", "invitee"]);
    await uniqueIndex(db, "notices", ["uid", "topic", "invitee"]);
    await index(db, "notices", ["due_at"]);
    await index(db, "notices", ["organization_id", "invitee"]);
    await index(db, "notices", ["user_id"]);
  },
};

const makeSchedules = async (db: Kysely<unknown>, { text, bigint }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("schedules")
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("uid", text, (c) => c.notNull())
    .addColumn("sequence", bigint, (c) => c.notNull())
    .addColumn("starts_at", text, (c) => c.notNull())
    .addColumn("time_zone", text, (c) => c.notNull())
    .addColumn("minutes", bigint, (c) => c.notNull())
    .addColumn("repetition", text)
    .addColumn("ends_at", text, (c) => c.notNull())
    .addColumn("remind_at", text)
    .addPrimaryKeyConstraint(uniqueName("schedules", ["room_id"]), ["room_id" as never])
    .execute();
};

const makeInvited = async (db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> => {
  await db.schema
    .createTable("invitees")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("room_id", text, (c) => c.notNull().references("rooms.id").onDelete("cascade"))
    .addColumn("user_id", text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("email", text)
    .addColumn("invitee", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("invitees", ["id"]), ["id" as never])
    .execute();
  await db.schema
    .createTable("notices")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("organization_id", text, (c) =>
      c.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("user_id", text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("email", text)
    .addColumn("invitee", text, (c) => c.notNull())
    .addColumn("uid", text, (c) => c.notNull())
    .addColumn("topic", text, (c) => c.notNull())
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("event", text, (c) => c.notNull())
    .addColumn("due_at", text, (c) => c.notNull())
    .addPrimaryKeyConstraint(uniqueName("notices", ["id"]), ["id" as never])
    .execute();
};
