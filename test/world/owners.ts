import assert from "node:assert/strict";
import { presentRoom, ROOM_FORM, readRoom } from "../../contract/room-record.ts";
import { uuid7 } from "../../server/id.ts";
import type { Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

type Place = Pick<World, "database">;

/** The ID of the room of this number. */
export const roomAt = (index: number): string => `owned-${index}`;

/** Gives an organization many rooms that these people own together; the first of them made them. */
export const addOwnedRooms = async (
  { database }: Place,
  { id: organization_id }: Pick<Tenant, "id">,
  many: number,
  owners: readonly string[],
): Promise<void> => {
  const at = "2026-01-31T09:30:00.000Z";
  const stored = JSON.stringify({ name: "Owned", room: "", roomOwnerId: owners.join(",") });
  const read = readRoom(stored, "{}");
  const record = presentRoom({
    ...{ ...read, roomStatus: "free", totalCallTime: 0, createdAt: at, updatedAt: at },
  });
  await database.change(async (tx) => {
    for (let from = 0; from < many; from += 500) {
      const rows = Array.from({ length: Math.min(500, many - from) }, (_, n) => ({
        ...{ id: uuid7(), organization_id, room: roomAt(from + n), name: "Owned" },
        ...{ name_key: "owned", created_by: owners[0] ?? null, created_at: at, updated_at: at },
        ...{ deleted_at: null, form: ROOM_FORM, extras: "{}" },
        record: JSON.stringify({ ...record, room: roomAt(from + n) }),
      }));
      await tx.insertInto("rooms").values(rows).execute();
      const owned = rows.flatMap(({ id }) =>
        owners.map((user_id) => ({ user_id, room_id: id, organization_id })),
      );
      await tx.insertInto("room_owners").values(owned).execute();
    }
    await tx
      .updateTable("organizations")
      .set((eb) => ({
        used_rooms: eb("used_rooms", "+", many),
      }))
      .where("id", "=", organization_id)
      .execute();
  });
};

/** How many rooms somebody owns still, as they are stored. */
export const countOwned = async ({ database }: Place, userId: string): Promise<number> => {
  const { count } = await database.read
    .selectFrom("room_owners")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Nothing that is stored names somebody. */
export const checkForgotten = async ({ database }: Place, userId: string): Promise<void> => {
  const rooms = await database.read
    .selectFrom("rooms")
    .select("room")
    .where(({ or, eb }) => or([eb("record", "like", `%${userId}%`), eb("created_by", "=", userId)]))
    .execute();
  assert.deepEqual(rooms, []);
  const people = await database.read
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .execute();
  assert.deepEqual(people, []);
  assert.equal(await countOwned({ database }, userId), 0);
};
