import { type SelectQueryBuilder, sql } from "kysely";
import type { Checked } from "../../contract/operation.ts";
import type { listRooms } from "../../contract/rooms.ts";
import { alongIndexOf, contains } from "../db/contains.ts";
import { joinedTexts } from "../db/joined-texts.ts";
import { atMost, pageOf } from "../db/limits.ts";
import { prepared } from "../db/prepared.ts";
import type { RoomRow, Tables } from "../db/tables.ts";
import type { Term } from "../fold.ts";
import type { Queries } from "../organization.ts";
import type { Utf8 } from "../utf8.ts";

export type PageAsked = Checked<typeof listRooms>;

/** The columns that lists are ordered by. */
export const columnOf = {
  name: "name_key",
  createdAt: "created_at",
  updatedAt: "updated_at",
} as const;

/** By what a list is filtered. */
export interface Filter {
  readonly byOwner: boolean;
  readonly bySearch: boolean;
}

export type Order = Pick<PageAsked, "sortBy" | "sortOrder">;

/** What a list is asked with; empty where it is not filtered. */
export interface Chosen extends Term {
  readonly organizationId: string;
  readonly owner: string;
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
    .$if(filter.bySearch, (query) => query.where(contains(db, "name_key", values)));

/** What the text of a page's query depends on. */
export interface Shape extends Filter, Order {
  /** After a row, or from the beginning. */
  readonly after: boolean;
  /** Whether so many rows are skipped that only the index may be walked over. */
  readonly far: boolean;
  /** No more rows are walked over. */
  readonly within: number;
  /** Whether the place of the last row is asked for. */
  readonly end: boolean;
}

export interface Asked extends Chosen {
  readonly key: string;
  readonly id: string;
  readonly size: number;
  readonly offset: number;
}

/** Skipping more rows than this is left to the index alone. */
export const FAR = 500;

const directionOf = ({ sortOrder }: Order) => (sortOrder === "ASC" ? "asc" : "desc");

const inOrder = (rooms: FromRooms, order: Order): FromRooms =>
  rooms.orderBy(columnOf[order.sortBy], directionOf(order)).orderBy("id", directionOf(order));

/** The rooms of a page, in order. */
const rowsOf = (db: Queries, shape: Shape, values: Asked) => {
  const column = columnOf[shape.sortBy];
  const beyond = shape.sortOrder === "ASC" ? ">" : "<";
  const rooms = inOrder(chosen(db, shape, values), shape).$if(shape.after, (query) =>
    query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(column, "id"), beyond, tuple(values.key, values.id)),
    ),
  );
  const cut = { size: values.size, offset: values.offset, within: shape.within };
  if (!shape.far) {
    return pageOf(db, rooms.select(["id", "form", "record", `${column} as key`]), cut);
  }
  return db
    .selectFrom(pageOf(db, rooms.select(["id", `${column} as key`]), cut).as("near"))
    .crossJoin("rooms")
    .whereRef("rooms.id", "=", "near.id")
    .select(["near.id", "form", "record", "near.key"])
    .orderBy("near.key", directionOf(shape))
    .orderBy("near.id", directionOf(shape))
    .limit(atMost(values.size));
};

/** A search is planned by what it looks for. */
const isPlannedOnce = ({ bySearch }: Filter): boolean => !bySearch;

/** The rooms of a page, one by one. */
export const askRows = prepared<Shape, Asked, Pick<RoomRow, "form" | "record">>(
  (db, shape, values) =>
    db.selectFrom(rowsOf(db, shape, values).as("page")).select(["form", "record"]),
);

/** The rooms of a page in one row: many small ones cost more than their texts. */
interface Joined {
  readonly entries: number;
  /** With commas between them; null where there are none. */
  readonly records: Utf8 | null;
  readonly leastForm: number | null;
  readonly greatestForm: number | null;
  /** Where the last row stands; null where the page is not full. */
  readonly key: string | null;
  readonly id: string | null;
  /** Of the lists, in the state in which the page was read. */
  readonly version?: number;
}

// A page is limited, so that its order is kept: both databases join rows as they come.
export const askJoined = prepared<Shape, Asked, Joined>((db, shape, values) => {
  const page = rowsOf(db, shape, values).as("page");
  const numbered = db
    .selectFrom(page)
    .select(["form", "record", "key", "id", sql<number>`row_number() over ()`.as("place")]);
  const last = (column: "key" | "id") =>
    sql<string | null>`max(${sql.ref(column)}) filter (where place = ${values.size})`.as(column);
  const version = db
    .selectFrom("organizations")
    .select("rooms_version")
    .where("id", "=", values.organizationId);
  return db
    .selectFrom(shape.end ? numbered.as("page") : page)
    .select(({ fn }) => [
      fn.countAll<number>().as("entries"),
      fn.min("form").as("leastForm"),
      fn.max("form").as("greatestForm"),
    ])
    .select(joinedTexts(db, "record").as("records"))
    .$if(shape.end, (query) => query.select([last("key"), last("id"), version.as("version")]));
}, isPlannedOnce);

/** How many rooms there are. */
export const askTotal = prepared<Filter, Chosen, { readonly total: number }>(
  (db, filter, values) => {
    const isOwned = filter.byOwner && !filter.bySearch;
    const owned = db
      .selectFrom("room_owners")
      .where("organization_id", "=", values.organizationId)
      .where("user_id", "=", values.owner);
    const searched = chosen(db, filter, values).where(alongIndexOf(db, "name_key"));
    const rooms = isOwned ? (owned as unknown as FromRooms) : searched;
    return rooms.select(({ fn }) => fn.countAll<number>().as("total"));
  },
  isPlannedOnce,
);

/** The first rooms that a search finds. */
export const askFound = prepared<
  Filter & Order,
  Chosen & { readonly size: number },
  { readonly id: string }
>(
  (db, shape, values) =>
    inOrder(chosen(db, shape, values), shape)
      .select("id")
      .limit(atMost(values.size)),
  isPlannedOnce,
);

/** Some rooms in order, from an offset. */
export const askSorted = prepared<
  Order,
  { readonly ids: readonly string[]; readonly offset: number; readonly size: number },
  { readonly id: string }
>((db, order, { ids, offset, size }) =>
  inOrder(db.selectFrom("rooms").where("id", "in", ids), order)
    .select("id")
    .limit(atMost(size))
    .offset(offset),
);

export const askByIds = prepared<
  null,
  { readonly ids: readonly string[] },
  Pick<RoomRow, "id" | "form" | "record">
>((db, _, { ids }) =>
  db.selectFrom("rooms").select(["id", "form", "record"]).where("id", "in", ids),
);
