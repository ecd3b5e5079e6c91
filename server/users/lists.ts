import { sql } from "kysely";
import type { Checked } from "../../contract/kit/operation.ts";
import type { listUsers } from "../../contract/people/lists.ts";
import type { Organization, Queries } from "../change/organization.ts";
import { contains, textsAsJson } from "../db/dialect.ts";
import { inPieces } from "../db/pieces.ts";
import { termOf } from "../lib/fold.ts";
import { type BesideRecord, type ShownRow, shownColumns } from "../records/present-user.ts";
import { countUsers } from "../records/user-counters.ts";

type ListInput = Checked<typeof listUsers>;

/** The accounts that a list contains. */
interface Chosen {
  readonly organizationId: string;
  readonly revoked: boolean;
  /** Undefined for every role. */
  readonly roles: readonly string[] | undefined;
  readonly search?: string;
  readonly state?: ListInput["state"];
  readonly admin?: ListInput["admin"];
}

const columnOf = { name: "name_key", createdAt: "created_at" } as const;

const chosen = (db: Queries, which: Chosen) => {
  const { organizationId, revoked, roles, search = "", state, admin } = which;
  const term = termOf(search);
  return (
    db
      .selectFrom("users")
      .where("organization_id", "=", organizationId)
      .where("account_deleted", "=", revoked)
      // Checked for revoked people only: only they can be former ones, and no list index has the column.
      .$if(revoked, (query) => query.where("gone_at", "is", null))
      .$if(roles !== undefined, (query) => query.where("role", "in", roles ?? []))
      .$if(state !== undefined, (query) =>
        query.where("account_suspended", "=", state === "suspended"),
      )
      .$if(admin !== undefined, (query) => query.where("admin", "=", admin ?? false))
      .$if(search !== "", (query) =>
        query.where((eb) =>
          eb.or(["name_key", "email_fold", "username"].map((column) => contains(db, column, term))),
        ),
      )
  );
};

interface Order {
  readonly sortBy: keyof typeof columnOf;
  readonly sortOrder: "ASC" | "DESC";
  readonly offset?: number;
  readonly after?: ShownRow | undefined;
  readonly size: number;
}

/** Rows in order, after a row or from an offset. The page's IDs are found before its rows are fetched. */
const rowsOf = (
  db: Queries,
  which: Chosen,
  { sortBy, sortOrder, offset = 0, after, size }: Order,
): Promise<ShownRow[]> => {
  const column = columnOf[sortBy];
  const direction = sortOrder === "ASC" ? "asc" : "desc";
  const ids = chosen(db, which)
    .select("id as page_id")
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple(column, "id"),
          direction === "asc" ? ">" : "<",
          tuple(after?.[column] ?? "", after?.id ?? ""),
        ),
      ),
    )
    .orderBy(column, direction)
    .orderBy("id", direction)
    .limit(size)
    .offset(offset);
  return db
    .selectFrom(ids.as("page"))
    .innerJoin("users", "users.id", "page.page_id")
    .select(shownColumns)
    .orderBy(column, direction)
    .orderBy("id", direction)
    .execute();
};

/** The rooms that a person owns, by name: two JSON arrays as text, because they may be very long. */
export interface OwnedRoomLists {
  readonly names: string;
  readonly rooms: string;
}

const nothing: OwnedRoomLists = { names: "[]", rooms: "[]" };

/** Up to this many rooms are read with `read`; more with `scan`. */
const FEW = 1000;

/** The rooms that these accounts own. */
const ownedRooms = async (
  { id: organizationId, read, scan }: Organization,
  userIds: readonly string[],
): Promise<(userId: string) => OwnedRoomLists> => {
  if (userIds.length === 0) return () => nothing;
  const owned = (db: Queries) =>
    db
      .selectFrom("room_owners as o")
      .where("o.organization_id", "=", organizationId)
      .where("o.user_id", "in", userIds);
  const some = await read
    .selectFrom(owned(read).select("o.room_id").limit(FEW).as("some"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const db = Number(some.count) < FEW ? read : scan;
  const byName = sql`r.name_key, r.id`;
  const rows = await owned(db)
    // Joined in this order, because SQLite would otherwise walk over all rooms by name.
    .crossJoin("rooms as r")
    .whereRef("r.id", "=", "o.room_id")
    .select([
      "o.user_id",
      textsAsJson(db, "r.name", byName).as("names"),
      textsAsJson(db, "r.room", byName).as("rooms"),
    ])
    .groupBy("o.user_id")
    .execute();
  const byOwner = new Map(rows.map((row) => [row.user_id, row]));
  return (userId) => byOwner.get(userId) ?? nothing;
};

/** One page of accounts, each with the rooms that it owns, and how many there are in all. */
export const pageOfUsers = async (
  organization: Organization,
  { role: roles, page, limit, search, state, admin, sortBy, sortOrder }: ListInput,
  revoked: boolean,
) => {
  const { id: organizationId, read, scan } = organization;
  const which = { organizationId, revoked, roles, search, state, admin };
  // The counters count by role only; everything else is counted by `scan`.
  const isCounted = search === "" && state === undefined && admin === undefined;
  const offset = (page - 1) * limit;
  const total = isCounted ? await countOf(read, which) : await countFound(scan, which);
  const rows =
    offset >= total
      ? []
      : await rowsOf(isCounted ? read : scan, which, {
          sortBy,
          sortOrder,
          offset,
          size: Math.min(limit, total - offset),
        });
  const owned = await ownedRooms(
    organization,
    rows.map(({ id }) => id),
  );
  return { total, rows: rows.map((row) => ({ row, owned: owned(row.id) })) };
};

/** The total without a search and filters, from the organization's counters. */
const countOf = async (
  db: Queries,
  { organizationId, roles = [], revoked }: Chosen,
): Promise<number> =>
  countUsers(
    await db
      .selectFrom("organizations")
      .select("users_by_role")
      .where("id", "=", organizationId)
      .executeTakeFirstOrThrow(),
    { roles, revoked },
  );

const countFound = async (db: Queries, which: Chosen): Promise<number> => {
  const { total } = await chosen(db, which)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** The accounts of these IDs, in the order of their names; unknown IDs are skipped. */
export const usersByIds = (
  { id: organizationId, read }: Organization,
  ids: readonly string[],
): Promise<(ShownRow & BesideRecord)[]> =>
  read
    .selectFrom("users")
    .select([...shownColumns, "language", "must_choose_password"])
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .where("gone_at", "is", null)
    .orderBy("name_key")
    .orderBy("id")
    .execute();

/** All accounts of some roles (undefined: of every role), by name, in pieces. */
export const allUsers = (
  { id: organizationId, scan }: Organization,
  roles: readonly string[] | undefined,
  revoked: boolean,
): AsyncGenerator<readonly ShownRow[]> =>
  inPieces<readonly ShownRow[]>(
    Number.POSITIVE_INFINITY,
    ({ length }) => length,
    (last, size) =>
      rowsOf(
        scan,
        { organizationId, revoked, roles },
        { sortBy: "name", sortOrder: "ASC", after: last?.at(-1), size },
      ),
  );
