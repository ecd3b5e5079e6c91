import assert from "node:assert/strict";
import { roomSubject } from "../../server/change/history.ts";
import { until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import type { Beside } from "../world/world.ts";

/** More rooms, or entries, than a deletion cleans up itself. */
export const MANY = count(3_000, 100_000);

/** Revokes a person: only then can they be deleted for good. */
export const revoke = async ({ ask }: Pick<Tenant, "ask">, userId: string): Promise<void> => {
  assert.equal((await ask("revokeUsers", [{ userId }])).status, 200);
};

/** A person with very many entries in the history: more than a deletion erases itself. */
export const addEntries = async (
  { change }: Pick<Tenant, "change">,
  userId: string,
  many = MANY,
): Promise<void> => {
  const entry = {
    kind: "roomEdited",
    subject: roomSubject({ room: "some", name: "Some" }),
    by: { userId, name: "Somebody" },
  } as const;
  for (let left = many; left > 0; left -= 1_000) {
    await change(async ({ happened }) => happened(...Array(1_000).fill(entry)));
  }
};

/** How many rooms a person still owns, as stored. */
export const countOwned = async (
  { database }: Pick<Beside, "database">,
  userId: string,
): Promise<number> => {
  const { count } = await database.read
    .selectFrom("room_owners")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Returns whether all background work after a person's deletion is done. */
export const isGone = async (
  { database }: Pick<Beside, "database">,
  userId: string,
): Promise<boolean> => {
  const row = database.read.selectFrom("users").select("id").where("id", "=", userId);
  return (await row.executeTakeFirst()) === undefined;
};

/** Revokes a person, deletes them for good, and waits until all background work for that is done. */
export const deleteForGood = async (
  { database, ask }: Pick<Beside, "database"> & Pick<Tenant, "ask">,
  userId: string,
): Promise<void> => {
  await revoke({ ask }, userId);
  assert.equal((await ask("deleteUsers", [userId])).status, 200);
  await until("the last of the person is erased", () => isGone({ database }, userId));
};

/** Asserts that nothing stored names a person. */
export const checkForgotten = async (
  { database }: Pick<Beside, "database">,
  userId: string,
): Promise<void> => {
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
  const entries = await database.read
    .selectFrom("history")
    .select("number")
    .where(({ or, and, eb }) =>
      or([
        and([eb("actor_id", "=", userId), eb("who", "is not", null)]),
        and([
          eb("subject_id", "=", userId),
          eb("facts", "is not", null),
          eb("kind", "<>", "userDeleted"),
        ]),
      ]),
    )
    .execute();
  assert.deepEqual(entries, [], "the history names nobody who is deleted for good");
};
