import type { RoomRow } from "../../server/db/tables.ts";
import { uuid7 } from "../../server/id.ts";
import type { Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

/** Room IDs, each with the name that it got. */
export type Named = ReadonlyMap<string, string>;

/** Many rooms of few names, written together; made one by one they would take longer than the test. */
export const addRooms = async (
  { database }: World,
  tenant: Tenant,
  many: number,
  names: readonly string[],
): Promise<Named> => {
  const made: [string, string][] = [];
  const models: RoomRow[] = [];
  for (const name of names) {
    const { body } = await tenant.ask("createRoom", { name, roomOwnerId: tenant.admin.id });
    models.push(
      await database.read
        .selectFrom("rooms")
        .selectAll()
        .where("room", "=", body.roomSetting.room)
        .where("organization_id", "=", tenant.id)
        .executeTakeFirstOrThrow(),
    );
  }
  const rows = Array.from({ length: many }, (_, n) => {
    const model = models[n % models.length] as RoomRow;
    const room = `many-${n}`;
    // Four of one moment, so that equal times are met as well.
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 4)).toISOString();
    const record = { ...JSON.parse(model.record), room, createdAt: at, updatedAt: at };
    made.push([room, model.name]);
    return {
      ...model,
      ...{ id: uuid7(), room, created_at: at, updated_at: at, record: JSON.stringify(record) },
    };
  });
  // In several changes: a change has a few seconds on PostgreSQL.
  for (let at = 0; at < many; at += 2_000) {
    const some = rows.slice(at, at + 2_000);
    await database.change(async (tx) => {
      for (let from = 0; from < some.length; from += 100) {
        await tx
          .insertInto("rooms")
          .values(some.slice(from, from + 100))
          .execute();
      }
      await tx
        .updateTable("organizations")
        .set((eb) => ({ used_rooms: eb("used_rooms", "+", some.length) }))
        .where("id", "=", tenant.id)
        .execute();
    });
  }
  for (const model of models) made.push([model.room, model.name]);
  return new Map(made);
};

/** Many accounts of few names, written at once; answers their IDs. */
export const addAccounts = async (
  { database }: World,
  { id, admin }: Tenant,
  many: number,
  names: readonly string[],
): Promise<string[]> => {
  const rows = Array.from({ length: many }, (_, n) => {
    const one = uuid7();
    const name = names[n % names.length] ?? "";
    return {
      ...admin,
      ...{ id: one, admin: false, role: "moderator", username: one, profile_id: one },
      ...{ email: `${one}@x.org`, email_key: `${one}@x.org`, email_fold: `${one}@x.org` },
      ...{ name, name_key: name.toLowerCase() },
    };
  });
  await database.change(async (tx) => {
    for (let at = 0; at < many; at += 100) {
      await tx
        .insertInto("users")
        .values(rows.slice(at, at + 100))
        .execute();
    }
    const users_by_role = JSON.stringify([
      ["admin", 1, 0],
      ["moderator", many, 0],
    ]);
    const used = { used_users: many + 1, users_by_role };
    await tx.updateTable("organizations").set(used).where("id", "=", id).execute();
  });
  return rows.map((row) => row.id);
};
