import { type SelectQueryBuilder, sql } from "kysely";
import type { Checked } from "../../contract/operation.ts";
import type { listRooms } from "../../contract/rooms.ts";
import { inPieces } from "../db/pieces.ts";
import { prepared } from "../db/prepared.ts";
import type { RoomRow, Tables } from "../db/tables.ts";
import { containing } from "../fold.ts";
import type { Organization, Queries } from "../organization.ts";
import { nearestPlace, rememberPlace } from "./page-starts.ts";
import { recordOf } from "./stored.ts";

type PageAsked = Checked<typeof listRooms>;

const columnOf = { name: "name_key", createdAt: "created_at", updatedAt: "updated_at" } as const;

/** By what a list is filtered. */
interface Filter {
  readonly byOwner: boolean;
  readonly bySearch: boolean;
}

/** What a list is asked with; empty where it is not filtered. */
interface Chosen {
  readonly organizationId: string;
  readonly owner: string;
  readonly pattern: string;
}

/** The rooms of an organization, or those that an account owns. */
const roomsOf = (db: Queries, { byOwner }: Filter, { organizationId, owner }: Chosen) => {
  if (!byOwner) return db.selectFrom("rooms").where("rooms.organization_id", "=", organizationId);
  // A cross join is taken in the order in which it is written: SQLite would otherwise walk over
  // all rooms in their order and ask of each whether it is owned.
  return db
    .selectFrom("room_owners as o")
    .crossJoin("rooms")
    .whereRef("rooms.id", "=", "o.room_id")
    .where("o.organization_id", "=", organizationId)
    .where("o.user_id", "=", owner);
};

/** What is read of a list is read of its rooms, whoever else was joined to find them. */
type FromRooms = SelectQueryBuilder<Tables, "rooms", object>;

const chosen = (db: Queries, filter: Filter, values: Chosen) =>
  (roomsOf(db, filter, values) as FromRooms)
    .where("deleted_at", "is", null)
    .$if(filter.bySearch, (query) =>
      query.where(sql<boolean>`name_key like ${values.pattern} escape '\\'`),
    );
/** What is read of a room for a list: its record, and where it stands in the order. */
type Listed = Pick<RoomRow, "id" | "form" | "record"> & { readonly key: string };

interface Shape extends Filter, Pick<PageAsked, "sortBy" | "sortOrder"> {
  /** After a row, or from the beginning. */
  readonly after: boolean;
  /** Whether so many rows are skipped that only the index may be walked over. */
  readonly far: boolean;
}

interface Asked extends Chosen {
  readonly key: string;
  readonly id: string;
  readonly size: number;
  readonly offset: number;
  readonly [name: string]: string | number;
}

/** Skipping more rows than this is left to the index alone. */
const FAR = 500;

/** Rows in order, after a row and an offset. */
const askRows = prepared<Shape, Asked, Listed>((db, shape, values) => {
  const column = columnOf[shape.sortBy];
  const direction = shape.sortOrder === "ASC" ? "asc" : "desc";
  const page = chosen(db, shape, values)
    .$if(shape.after, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple(column, "id"), direction === "asc" ? ">" : "<", tuple(values.key, values.id)),
      ),
    )
    .orderBy(column, direction)
    .orderBy("id", direction)
    .limit(values.size)
    .offset(values.offset);
  if (!shape.far) return page.select(["id", "form", "record", `${column} as key`]);
  return db
    .selectFrom(page.select("id as page_id").as("page"))
    .innerJoin("rooms", "rooms.id", "page.page_id")
    .select(["id", "form", "record", `${column} as key`])
    .orderBy(column, direction)
    .orderBy("id", direction);
});

const askTotal = prepared<Filter, Chosen & Record<string, string>, { total: number }>(
  (db, filter, values) =>
    chosen(db, filter, values).select(({ fn }) => fn.countAll<number>().as("total")),
);

const askRoomsOf = prepared<
  null,
  { readonly organizationId: string },
  { used_rooms: number; rooms_version: number }
>((db, _, { organizationId }) =>
  db
    .selectFrom("organizations")
    .select(["used_rooms", "rooms_version"])
    .where("id", "=", organizationId),
);

/**
 * One page of rooms as records in pieces, and how many there are in all. Who is no administrator
 * sees the rooms that they own.
 */
export const pageOfRooms = async (
  { id: organizationId, read, caller }: Organization,
  { page, limit, search, userFilter, sortBy, sortOrder }: PageAsked,
): Promise<{ total: number; pieces: AsyncIterable<readonly string[]> }> => {
  const own = caller.admin ? "" : (caller.userId ?? "");
  if (own !== "" && userFilter !== "" && userFilter !== own) return { total: 0, pieces: none() };
  const filter = { byOwner: own !== "" || userFilter !== "", bySearch: search !== "" };
  const isWhole = !filter.byOwner && !filter.bySearch;
  const values = {
    organizationId,
    owner: own || userFilter,
    pattern: search === "" ? "" : containing(search),
  };
  const [organization] = await askRoomsOf(read, null, { organizationId });
  const version = organization?.rooms_version ?? 0;
  const total = isWhole
    ? (organization?.used_rooms ?? 0)
    : Number((await askTotal(read, filter, values))[0]?.total);
  const offset = (page - 1) * limit;
  if (offset >= total) return { total, pieces: none() };

  const list = `${organizationId} ${sortBy} ${sortOrder}`;
  const start = isWhole ? nearestPlace(list, version, offset) : undefined;
  // The total was read first: what was added since then is for the next request to tell.
  const rows = inPieces<Listed>(Math.min(limit, total - offset), async (last, size) => {
    const from = last ?? start;
    const skip = last ? 0 : offset - (start?.offset ?? 0);
    const shape = { ...filter, sortBy, sortOrder, after: from !== undefined, far: skip > FAR };
    const { key, id } = from ?? { key: "", id: "" };
    const found = await askRows(read, shape, { ...values, key, id, size, offset: skip });
    const end = found.at(-1);
    if (isWhole && !last && end) {
      const place = { offset: offset + found.length, key: end.key, id: end.id };
      rememberPlace(list, version, place, total);
    }
    return found;
  });
  return { total, pieces: recordsOf(rows) };
};

async function* none(): AsyncGenerator<readonly string[]> {}

async function* recordsOf(pieces: AsyncIterable<readonly Listed[]>) {
  for await (const rows of pieces) yield rows.map(recordOf);
}
