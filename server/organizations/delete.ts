import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Organization, Queries } from "../change/organization.ts";
import { eraseNow, eraseOrganization } from "../meetings/captures/erasures.ts";
import { expelAll } from "../meetings/doors/expel.ts";

/** Small enough for a short change, cascades included. */
const PIECE = 50;

/** The tables with an organization's rows, with their keys, in the order of deletion. */
const tables = [
  ["tokens", "digest"],
  ["access_keys", "id"],
  // Before the people: an owner may have very many rooms, and ownership goes with the room.
  ["rooms", "id"],
  ["letters", "id"],
  ["deliveries", "id"],
  ["users", "id"],
  ["history", "number"],
] as const;

/** The tables that are counted for the operator. */
const contents = [
  "rooms",
  "users",
  "access_keys",
  "letters",
  "recordings",
  "meetings",
  "webhooks",
  "history",
] as const;

/** The number of each kind that an organization has, for the operator who is about to delete it. */
export type Holdings = Readonly<Record<(typeof contents)[number], number>>;

/**
 * Counts the contents of an organization: revoked people and rooms awaiting deletion too, but no
 * former people.
 */
export const holdingsOf = async ({ scan, id }: Organization): Promise<Holdings> => {
  const count = async (table: keyof Holdings): Promise<number> => {
    const { count } = await scan
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("organization_id", "=", id)
      .$if(table === "users", (query) => query.where("users.gone_at", "is", null))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const counted: [keyof Holdings, number][] = [];
  for (const table of contents) counted.push([table, await count(table)]);
  return Object.fromEntries(counted) as Holdings;
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
    delete from ${from} where organization_id = ${id} and ${column} in (${piece})
    returning ${column}`.execute(tx);
  return rows.length;
};

/**
 * Deletes an organization and everything in it, in short changes between which a service can work.
 * First it stops everything new. After an interruption, call it again.
 *
 * @param onProgress called with the number of rows deleted so far
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
  for (let ended = PIECE; ended === PIECE; ) {
    ended = await organization.change((change) => expelAll(change, PIECE));
  }
  // While rows still say where the files are.
  await organization.change(({ tx }) => eraseOrganization(tx, id));
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
  // Also removes what was created meanwhile.
  await organization.change(async ({ tx }) => {
    await tx.deleteFrom("organizations").where("id", "=", id).execute();
    await eraseNow(tx, id);
  });
};
