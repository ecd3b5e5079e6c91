import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Organization, Queries } from "../organization.ts";

/** Few enough rows that a change of them, and of what goes with them, is short. */
const PIECE = 100;

/** What belongs to an organization, in the order in which it goes, with its key. */
const tables = [
  ["tokens", "digest"],
  ["access_keys", "id"],
  // Before the people: the rooms of one owner may be very many, and ownership goes with the room.
  ["rooms", "id"],
  ["letters", "id"],
  ["users", "id"],
] as const;

/** What an organization holds, for the person who is about to delete it. */
export interface Holdings {
  readonly rooms: number;
  readonly users: number;
  readonly access_keys: number;
  readonly letters: number;
}

/** Counts what an organization holds: revoked people and rooms that await deletion too. */
export const holdingsOf = async ({ scan, id }: Organization): Promise<Holdings> => {
  const count = async (table: keyof Holdings): Promise<number> => {
    const { count } = await scan
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("organization_id", "=", id)
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  return {
    rooms: await count("rooms"),
    users: await count("users"),
    access_keys: await count("access_keys"),
    letters: await count("letters"),
  };
};

/** Removes up to PIECE rows. @returns how many */
const removePiece = async (
  tx: Queries,
  id: string,
  [table, key]: (typeof tables)[number],
): Promise<number> => {
  const [from, column] = [sql.table(table), sql.ref(key)];
  const piece = sql`select ${column} from ${from} where organization_id = ${id} limit ${sql.lit(PIECE)}`;
  const { rows } = await sql`
    delete from ${from} where ${column} in (${piece}) returning ${column}`.execute(tx);
  return rows.length;
};

/**
 * Deletes an organization and everything in it, in short changes between which a service has its
 * turn. First nothing new can be made; interrupted, it goes on where it is called again.
 *
 * @param onProgress called with the number of rows that are gone
 */
export const deleteOrganization = async (
  organization: Organization,
  onProgress: (rows: number) => void = () => {},
): Promise<void> => {
  const { id } = organization;
  await organization.change(({ tx }) =>
    tx
      .updateTable("organizations")
      .set({ max_rooms: 0, max_users: 0 })
      .where("id", "=", id)
      .execute(),
  );
  let gone = 0;
  for (const table of tables) {
    for (let removed = PIECE; removed === PIECE; ) {
      const from = performance.now();
      removed = await organization.change(({ tx }) => removePiece(tx, id, table));
      gone += removed;
      onProgress(gone);
      await sleep(performance.now() - from);
    }
  }
  // Takes along what was made meanwhile.
  await organization.change(async ({ tx }) => {
    await tx.deleteFrom("room_owners").where("organization_id", "=", id).execute();
    await tx.deleteFrom("meetings").where("organization_id", "=", id).execute();
    await tx.deleteFrom("organizations").where("id", "=", id).execute();
  });
};
