import { sql } from "kysely";
import type { Checked } from "../../contract/operation.ts";
import type { listRooms } from "../../contract/rooms.ts";
import type { Lookup } from "../db/lookup.ts";
import { inPieces } from "../db/pieces.ts";
import type { RoomRow } from "../db/tables.ts";
import { containing } from "../fold.ts";
import type { Organization, Queries } from "../organization.ts";
import { recordOf } from "./stored.ts";

/** The room of this ID in an organization; one that awaits its deletion is not there. */
export const findRoom = (
  db: Queries,
  organizationId: string,
  room: string,
): Promise<RoomRow | undefined> =>
  db
    .selectFrom("rooms")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("room", "=", room)
    .where("deleted_at", "is", null)
    .executeTakeFirst();

type Fetched = Pick<RoomRow, "organization_id" | "room" | "form" | "record" | "extras">;

const byRoom: Lookup<Fetched> = {
  parts: 2,
  keyOf: ({ organization_id, room }) => [organization_id, room],
  query: (db, [organizations = [], rooms = []]) =>
    db
      .selectFrom("rooms")
      .select(["organization_id", "room", "form", "record", "extras"])
      .where("organization_id", "in", organizations)
      .where("room", "in", rooms)
      .where("deleted_at", "is", null),
};

/**
 * The record of a room as it is answered, for who may see it: administrators every room of the
 * organization, others those that they own.
 */
export const fetchRecord = async (
  { id, find, caller }: Organization,
  room: string,
): Promise<string | undefined> => {
  const row = await find(byRoom, [id, room]);
  if (row === undefined) return undefined;
  const record = recordOf(row);
  if (caller.admin) return record;
  const owners: string[] = JSON.parse(record).roomOwnerId.split(",");
  return caller.userId !== null && owners.includes(caller.userId) ? record : undefined;
};

type PageAsked = Checked<typeof listRooms>;

const columnOf = { name: "name_key", createdAt: "created_at", updatedAt: "updated_at" } as const;

/** Which rooms a list holds. */
interface Chosen {
  readonly organizationId: string;
  readonly owner: string | undefined;
  readonly search: string;
}

const chosen = (db: Queries, { organizationId, owner, search }: Chosen) =>
  db
    .selectFrom("rooms")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .$if(owner !== undefined, (query) =>
      query.where("id", "in", ({ selectFrom }) =>
        selectFrom("room_owners as o")
          .select("o.room_id")
          .where("o.organization_id", "=", organizationId)
          .where("o.user_id", "=", owner ?? ""),
      ),
    )
    .$if(search !== "", (query) =>
      query.where(sql<boolean>`name_key like ${containing(search)} escape '\\'`),
    );

/** What is read of a room for a list: its record, and where it stands in the order. */
type Listed = Pick<
  RoomRow,
  "id" | "form" | "record" | "extras" | "name_key" | "created_at" | "updated_at"
>;

interface Place {
  readonly offset: number;
  readonly after: Listed | undefined;
  readonly size: number;
}

/** Rows in order, after a row or from an offset: the page is known before its rows are fetched. */
const rowsOf = (
  db: Queries,
  which: Chosen,
  { sortBy, sortOrder }: Pick<PageAsked, "sortBy" | "sortOrder">,
  { offset, after, size }: Place,
): Promise<Listed[]> => {
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
    .offset(after === undefined ? offset : 0);
  return db
    .selectFrom(ids.as("page"))
    .innerJoin("rooms", "rooms.id", "page.page_id")
    .select(["id", "form", "record", "extras", "name_key", "created_at", "updated_at"])
    .orderBy(column, direction)
    .orderBy("id", direction)
    .execute();
};

/** How many rooms a list holds: by the counters where nothing is searched. */
const countOf = async (db: Queries, which: Chosen): Promise<number> => {
  const { organizationId, owner, search } = which;
  if (owner === undefined && search === "") {
    const { used_rooms } = await db
      .selectFrom("organizations")
      .select("used_rooms")
      .where("id", "=", organizationId)
      .executeTakeFirstOrThrow();
    return used_rooms;
  }
  const { total } = await chosen(db, which)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
};

/**
 * One page of rooms as records in pieces, and how many there are in all. Who is no administrator
 * sees the rooms that they own.
 */
export const pageOfRooms = async (
  { id: organizationId, read, caller }: Organization,
  { page, limit, search, userFilter, ...order }: PageAsked,
): Promise<{ total: number; pieces: AsyncIterable<readonly string[]> }> => {
  const own = caller.admin ? undefined : (caller.userId ?? "");
  const asked = userFilter === "" ? undefined : userFilter;
  if (own !== undefined && asked !== undefined && asked !== own)
    return { total: 0, pieces: none() };
  const which = { organizationId, owner: own ?? asked, search };
  const total = await countOf(read, which);
  const offset = (page - 1) * limit;
  if (offset >= total) return { total, pieces: none() };
  const rows = inPieces<Listed>(limit, (after, size) =>
    rowsOf(read, which, order, { offset, after, size }),
  );
  return { total, pieces: recordsOf(rows) };
};

async function* none(): AsyncGenerator<readonly string[]> {}

async function* recordsOf(pieces: AsyncIterable<readonly Listed[]>) {
  for await (const rows of pieces) yield rows.map(recordOf);
}
