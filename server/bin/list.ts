import type { Checked } from "../../contract/kit/operation.ts";
import type { BinEntry, listBin as contract } from "../../contract/organization/bin.ts";
import type { Organization } from "../change/organization.ts";
import type { BinRow } from "../db/bin-table.ts";
import { contains } from "../db/dialect.ts";
import type { UserRow } from "../db/tables.ts";
import { termOf } from "../lib/fold.ts";

/**
 * An entry of the bin as answers show it.
 *
 * @param row with the interface's room ID, if it is a room
 */
export const presentBinEntry = (row: BinRow & { readonly room: string | null }): BinEntry => ({
  id: row.id,
  kind: row.room === null ? "user" : "room",
  subjectId: row.room ?? row.id,
  name: row.name,
  email: JSON.parse(row.kept).email ?? null,
  deletedAt: row.deleted_at,
  endsAt: row.ends_at,
});

/** One page of the bin, newest deletions first, and the total. */
export const listBin = async (
  { id, read, scan }: Organization,
  { page, limit, kind, search }: Checked<typeof contract>,
): Promise<{ readonly entries: BinEntry[]; readonly total: number }> => {
  const db = search === "" ? read : scan;
  const found = db
    .selectFrom("bin")
    .leftJoin("rooms", "rooms.id", "bin.room_id")
    .where("bin.organization_id", "=", id)
    .$if(kind === "room", (query) => query.where("room_id", "is not", null))
    .$if(kind === "user", (query) => query.where("user_id", "is not", null))
    .$if(search !== "", (query) => query.where(contains(db, "bin.name_key", termOf(search))));
  const { count } = await found
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll("bin")
    .select("rooms.room")
    .orderBy("bin.deleted_at", "desc")
    .orderBy("bin.id", "desc")
    .limit(limit)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
    .execute();
  return { entries: rows.map(presentBinEntry), total: Number(count) };
};

/** The account of a person in the bin, as it was; undefined if nobody with this ID is in it. */
export const findRestingUser = async (
  { id, read }: Pick<Organization, "id" | "read">,
  userId: string,
): Promise<UserRow | undefined> => {
  const row = await read
    .selectFrom("bin")
    .innerJoin("users", "users.id", "bin.user_id")
    .selectAll("users")
    .select("bin.kept")
    .where("bin.organization_id", "=", id)
    .where("bin.user_id", "=", userId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { kept, ...user } = row;
  return { ...user, ...JSON.parse(kept) };
};
