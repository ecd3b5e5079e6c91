import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Counts anew what each organization has: limits and pages go by these numbers. */
export const recountAll = async (tx: Kysely<Tables>): Promise<void> => {
  const people = await tx
    .selectFrom("users")
    .select(["organization_id", "role", "account_deleted"])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("gone_at", "is", null)
    .groupBy(["organization_id", "role", "account_deleted"])
    .execute();
  const rooms = await tx
    .selectFrom("rooms")
    .select("organization_id")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("deleted_at", "is", null)
    .groupBy("organization_id")
    .execute();
  const roomsOf = new Map(rooms.map((row) => [row.organization_id, Number(row.count)]));
  const peopleOf = Map.groupBy(people, (row) => row.organization_id);
  for (const { id } of await tx.selectFrom("organizations").select("id").execute()) {
    const here = peopleOf.get(id) ?? [];
    const counts = [...Map.groupBy(here, ({ role }) => role)].map(
      ([role, rows]) => [role, count(rows, false), count(rows, true)] as const,
    );
    const set = {
      used_rooms: roomsOf.get(id) ?? 0,
      used_users: count(here, false),
      users_by_role: JSON.stringify(counts.toSorted()),
    };
    await tx.updateTable("organizations").set(set).where("id", "=", id).execute();
  }
};

interface Counted {
  readonly account_deleted: boolean;
  readonly count: number;
}

const count = (rows: readonly Counted[], revoked: boolean): number =>
  rows
    .filter(({ account_deleted }) => account_deleted === revoked)
    .reduce((sum, row) => sum + Number(row.count), 0);
