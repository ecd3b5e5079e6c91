import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Checked } from "../../contract/kit/operation.ts";
import type { listRooms } from "../../contract/rooms/rooms.ts";
import type { Organization, Queries } from "../change/organization.ts";
import { contains, isPostgres } from "../db/dialect.ts";
import { inPieces, PIECE } from "../db/pieces.ts";
import { prepared } from "../db/prepared.ts";
import type { RoomRow, Tables } from "../db/tables.ts";
import { type Term, termOf } from "../lib/fold.ts";
import { askOwned, byOrganization, MANY } from "../records/room-counters.ts";
import { recordFor } from "../records/room-secrets.ts";
import { formerOwners, recordOf } from "../records/rooms.ts";

interface ListInput extends Checked<typeof listRooms> {
  /** The part of a record that the caller sees. */
  readonly show: (record: string) => string;
}

/** One page: the total number of rooms, and records joined by commas. */
export interface PageOfRooms {
  readonly total: number;
  readonly pieces: AsyncIterable<string>;
}

/** The rooms that a list contains; all of them without owners and a search term. */
interface Which extends Term {
  readonly organizationId: string;
  /** Accounts that own a room together. */
  readonly owners: readonly string[];
  /** The text to find in a name, an ID or, with `names`, in the names of owners. */
  readonly found: string;
  readonly foundPattern: string;
  readonly type: string;
  readonly state: string;
}

/** The filters of a list besides owners. */
interface Narrowed {
  readonly searched: boolean;
  /** Only rooms without owners, or whose owners are all revoked. */
  readonly withoutOwner: boolean;
  /** True if the list searches names and IDs. */
  readonly finds: boolean;
  /** True if it also searches the names of owners. */
  readonly names: boolean;
  readonly typed: boolean;
  readonly inState: boolean;
}

/** The facts on which the text of a statement depends. */
interface Shape extends Narrowed, Pick<ListInput, "sortBy" | "sortOrder"> {
  /** Starts after a row that was read; otherwise at an offset, with the total. */
  readonly after: boolean;
  /** True if the walk starts at the end of the list. */
  readonly fromEnd: boolean;
}

interface Cut extends Which {
  readonly key: string;
  readonly id: string;
  readonly offset: number;
  readonly size: number;
}

interface Row extends Pick<RoomRow, "id" | "form" | "record"> {
  readonly key: string;
  readonly total: number;
  readonly former: string | null;
}

const columnOf = {
  name: "name_key",
  createdAt: "created_at",
  updatedAt: "updated_at",
  naturalName: "order_key",
  status: "use_key",
} as const;

const ownedBy = (db: Queries, { organizationId, owners }: Which) => {
  const [first = "", ...others] = owners;
  const owned = db
    .selectFrom("room_owners as o")
    .where("o.organization_id", "=", organizationId)
    .where("o.user_id", "=", first)
    // Rooms that still name a former owner do not count: the mender is about to remove the name.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("users")
            .select("id")
            .where("id", "in", owners)
            .where("gone_at", "is not", null),
        ),
      ),
    );
  // A comparison instead of `exists`, which PostgreSQL turns into a join: with outdated statistics it would
  // walk over all rooms of the other owner for each room of the first one.
  return others.reduce(
    (rooms, other) =>
      rooms.where(({ eb, selectFrom }) =>
        eb(
          selectFrom("room_owners as other")
            .select(sql.lit(1).as("is_theirs"))
            .whereRef("other.room_id", "=", "o.room_id")
            .where("other.user_id", "=", other),
          "=",
          sql.lit(1),
        ),
      ),
    owned,
  );
};

/** The condition that all owners of a room are revoked, or it has none; former people count as revoked. */
const nobodyOwns = (db: Queries) => {
  const owners = db
    .selectFrom("room_owners as owner")
    .innerJoin("users", "users.id", "owner.user_id")
    .select("owner.room_id")
    .whereRef("owner.room_id", "=", sql.ref("rooms.id"))
    .where("users.account_deleted", "=", false);
  return sql<boolean>`not exists ${owners}`;
};

/** The rooms with an owner whose name or email contains a term. Their IDs are read once. */
const ownedByNamed = (db: Queries, which: Which, term: Term) =>
  db
    .selectFrom("users as named")
    .innerJoin("room_owners as theirs", "theirs.user_id", "named.id")
    .select("theirs.room_id")
    .where("named.organization_id", "=", which.organizationId)
    .where("named.gone_at", "is", null)
    .where((eb) =>
      eb.or([contains(db, "named.name_key", term), contains(db, "named.email_fold", term)]),
    );

/** The condition that a search finds a room: by its name, its ID or, if `names` says so, by an owner. */
const isFound = (db: Queries, { names }: Narrowed, which: Which) => {
  const term: Term = { term: which.found, pattern: which.foundPattern };
  // IDs have letters of ASCII only, which both databases fold alike.
  const byRoom = isPostgres(db)
    ? sql<boolean>`lower(rooms.room) like ${term.pattern}`
    : sql<boolean>`instr(lower(rooms.room), ${term.term}) > 0`;
  return ({ eb, or }: ExpressionBuilder<Tables, "rooms">) =>
    or([
      contains(db, "rooms.name_key", term),
      byRoom,
      ...(names ? [eb("rooms.id", "in", ownedByNamed(db, which, term))] : []),
    ]);
};

/** A query that selects columns of rooms, whether or not owners are joined. */
type FromRooms = SelectQueryBuilder<Tables, "rooms", object>;

const chosen = (db: Queries, narrowed: Narrowed, which: Which): FromRooms => {
  const { searched, withoutOwner, finds, typed, inState } = narrowed;
  const rooms =
    which.owners.length === 0
      ? db.selectFrom("rooms").where("rooms.organization_id", "=", which.organizationId)
      : // Joined in this order: SQLite would otherwise walk over all rooms and look for their owners.
        ownedBy(db, which).crossJoin("rooms").whereRef("rooms.id", "=", "o.room_id");
  return (rooms as FromRooms)
    .where("deleted_at", "is", null)
    .$if(searched, (query) => query.where(contains(db, "name_key", which)))
    .$if(typed, (query) => query.where("rooms.type", "=", which.type))
    .$if(inState, (query) => query.where("rooms.state", "=", which.state))
    .$if(finds, (query) => query.where(isFound(db, narrowed, which)))
    .$if(withoutOwner, (query) => query.where(nobodyOwns(db)));
};

/** Returns whether a list has a filter besides owners. */
const narrows = ({ searched, withoutOwner, finds, typed, inState }: Narrowed): boolean =>
  searched || withoutOwner || finds || typed || inState;

const counted = (db: Queries, narrowed: Narrowed, which: Which) => {
  const isNarrowed = narrows(narrowed);
  if (!isNarrowed && which.owners.length === 0) {
    return db
      .selectFrom("organizations")
      .select("used_rooms as total")
      .where("id", "=", which.organizationId);
  }
  const rooms = isNarrowed
    ? chosen(db, narrowed, which)
        // Every key is; without this SQLite takes an index that has no names.
        .$if(!isPostgres(db), (query) => query.where("name_key", ">=", ""))
    : (ownedBy(db, which) as unknown as FromRooms);
  return rooms.select(({ fn }) => fn.countAll<number>().as("total"));
};

/** Walks over the rooms of a page, in its order or from its end. */
const walkOver = (db: Queries, { sortBy, sortOrder, ...shape }: Shape, cut: Cut) => {
  const column = columnOf[sortBy];
  const walked = (sortOrder === "ASC") === shape.fromEnd ? "desc" : "asc";
  // The number of rows behind the page, from the total of the same snapshot.
  const behind = sql`total - ${cut.offset} - ${cut.size}`;
  const [size, offset] = shape.fromEnd
    ? [
        sql<number>`(select case when ${behind} > 0 then ${cut.size}
          when total > ${cut.offset} then total - ${cut.offset} else 0 end from counted)`,
        sql<number>`(select case when ${behind} > 0 then ${behind} else 0 end from counted)`,
      ]
    : [cut.size, cut.offset];
  return chosen(db, shape, cut)
    .$if(shape.after, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple(column, "rooms.id"), walked === "asc" ? ">" : "<", tuple(cut.key, cut.id)),
      ),
    )
    .orderBy(column, walked)
    .orderBy("rooms.id", walked)
    .limit(size)
    .offset(offset);
};

/** The IDs of a page. They are found in an index, so that only the rows of the page are fetched. */
const idsOf = (db: Queries, shape: Shape, cut: Cut) =>
  walkOver(db, shape, cut).select([
    "rooms.id as page_id",
    `rooms.${columnOf[shape.sortBy]} as page_key`,
  ]);

/**
 * Returns whether the rows of a page may be read as the index has them: SQLite then finds each row from its entry in
 * the index, and sorts nothing. Otherwise it finds each row by its ID again, and copies all records to sort them. With
 * owners it must sort, and PostgreSQL plans an unknown limit badly.
 */
const readsInOrder = (
  db: Queries,
  shape: Narrowed & Pick<Shape, "fromEnd">,
  which: Which,
): boolean => !isPostgres(db) && !narrows(shape) && !shape.fromEnd && which.owners.length === 0;

/** The total of a narrowed list whose page is in `found`: the walk goes on behind the page, and counts. */
const countedBehind = (db: Queries, { sortBy, sortOrder, ...shape }: Shape, cut: Cut) => {
  const direction = sql.raw(sortOrder);
  // Of a full page only: there is nothing behind another one.
  const last = (name: string) => sql<string>`(select ${sql.ref(name)} from found
    order by page_key ${direction}, page_id ${direction} limit 1 offset ${cut.size} - 1)`;
  const behind = chosen(db, shape, cut)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple(columnOf[sortBy], "rooms.id"),
        sortOrder === "ASC" ? ">" : "<",
        tuple(last("page_key"), last("page_id")),
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as("total"));
  const before = sql`cast(${cut.offset} as bigint)`;
  return db.selectNoFrom(
    sql<number>`case when exists (select 1 from found)
      then ${before} + (select count(*) from found) + (${behind})
      when ${before} = 0 then 0 else (${counted(db, shape, cut)}) end`.as("total"),
  );
};

/** The rows of a page for which `readsInOrder` holds; an empty page has none, and no total. */
const askInOrder = prepared<Shape, Cut, Row>((db, shape, cut) =>
  walkOver(db, shape, cut)
    .select(["rooms.id", "form", "record", `rooms.${columnOf[shape.sortBy]} as key`])
    .select(counted(db, shape, cut).as("total"))
    .select(formerOwners(sql`${cut.organizationId}`).as("former")),
);

/** The rows of any page. With the total there is at least one: without a room if the page is empty. */
const askRows = prepared<Shape, Cut, Row>(
  (db, shape, cut) => {
    const walksOnce = narrows(shape) && !shape.after;
    // PostgreSQL assumes that an unknown limit means a tenth of the table, and would read all rows.
    const ids = sql<{
      page_id: string;
    }>`${walksOnce ? sql`found` : sql`(${idsOf(db, shape, cut)})`}`;
    const page = db.selectFrom(ids.as("ids")).select("page_id").limit(sql.lit(PIECE)).as("page");
    const direction = shape.sortOrder === "ASC" ? "asc" : "desc";
    const from = shape.after
      ? db.selectFrom(sql<{ readonly total: number }>`(select 0 as total)`.as("counted"))
      : walksOnce
        ? db
            .with("found", () => idsOf(db, shape, cut))
            .with("counted", () => countedBehind(db, shape, cut))
            .selectFrom("counted")
        : db.with("counted", () => counted(db, shape, cut)).selectFrom("counted");
    return (from as ReturnType<typeof db.selectFrom<"organizations as counted">>)
      .leftJoin(page, (join) => join.onTrue())
      .leftJoin("rooms", "rooms.id", "page.page_id")
      .select([sql<number>`total`.as("total"), "rooms.id", "form", "record"])
      .select(`rooms.${columnOf[shape.sortBy]} as key`)
      .select(formerOwners(sql`${cut.organizationId}`).as("former"))
      .orderBy("key", direction)
      .orderBy("rooms.id", direction) as unknown as { compile(): never };
  },
  // With an unknown pattern PostgreSQL would compute it again for every row.
  (shape) => !narrows(shape),
);

const whole: Narrowed = {
  searched: false,
  withoutOwner: false,
  finds: false,
  names: false,
  typed: false,
  inState: false,
};

/** Reads a page. The first piece is read, with the total, before the answer begins. */
const readPage = async (
  db: Queries,
  shape: Narrowed & Pick<Shape, "fromEnd">,
  which: Which,
  { page, limit, sortBy, sortOrder, show }: ListInput,
): Promise<PageOfRooms> => {
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
  let total = 0;
  let left = limit;
  const pieces = inPieces<readonly Row[]>(
    limit,
    ({ length }) => length,
    async (last, size) => {
      const after = last?.at(-1);
      const fromEnd = shape.fromEnd && !after;
      const asked = { sortBy, sortOrder, ...shape, after: !!after, fromEnd };
      const cut = { ...which, key: "", id: "", ...after, offset: after ? 0 : offset, size };
      const inOrder = readsInOrder(db, asked, which);
      const page = inOrder ? await askInOrder(db, asked, cut) : [];
      // The total of an empty page is asked for in the other way.
      const rows = inOrder && (after || page.length > 0) ? page : await askRows(db, asked, cut);
      if (!after) {
        total = rows[0]?.total ?? 0;
        left = Math.max(0, total - offset);
      }
      // Omits rooms that were added after the total was read.
      const found = rows.filter(({ id }) => id !== null).slice(0, left);
      left -= found.length;
      return found;
    },
  );
  const first = await pieces.next();
  return { total, pieces: recordsIn(first, pieces, show) };
};

async function* recordsIn(
  first: IteratorResult<readonly Row[], void>,
  rest: AsyncIterator<readonly Row[], void>,
  show: ListInput["show"],
): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await rest.next()) {
    yield next.value.map((row) => show(recordOf(row, row.former))).join(",");
  }
}

/** All rooms: walks over the index from the nearer end, which a first page need not ask for. */
const allRooms = async (
  { id, find, read, scan }: Organization,
  which: Which,
  input: ListInput,
): Promise<PageOfRooms> => {
  const before = (input.page - 1) * input.limit;
  if (before < PIECE && input.limit <= PIECE) {
    return readPage(read, { ...whole, fromEnd: false }, which, input);
  }
  const rooms = (await find(byOrganization, [id]))?.used_rooms ?? 0;
  const behind = rooms - before - input.limit;
  const isShort = Math.min(before, behind) <= MANY && input.limit <= PIECE;
  const shape = { ...whole, fromEnd: behind < before };
  return readPage(isShort ? read : scan, shape, which, input);
};

/** The rooms that these accounts own together, sorted for each page. */
const ownedRooms = async (
  { read, scan }: Organization,
  which: Which,
  input: ListInput,
): Promise<PageOfRooms> => {
  const [counted] = await askOwned(read, null, which);
  const isShort = Number(counted?.owned) <= MANY && input.limit <= PIECE;
  return readPage(isShort ? read : scan, { ...whole, fromEnd: false }, which, input);
};

/**
 * One page of rooms. Callers without `admin` see the rooms that they own, and with a filter by
 * another person, the rooms that both own.
 */
export const pageOfRooms = (
  organization: Organization,
  asked: Checked<typeof listRooms>,
): Promise<PageOfRooms> => {
  const { id: organizationId, caller } = organization;
  const input = { ...asked, show: recordFor(caller) };
  const own = caller.admin ? [] : [caller.userId ?? ""];
  const filter = input.userFilter === "" ? [] : [input.userFilter];
  const owners = [...new Set([...own, ...filter])];
  const { term: found, pattern: foundPattern } = termOf(input.find);
  const { search, find, withoutOwner, roomType: type = "", roomStatus: state = "" } = input;
  const which = { organizationId, owners, ...termOf(search), found, foundPattern, type, state };
  const narrowed = {
    searched: search !== "",
    withoutOwner,
    finds: find !== "",
    // People who see their own rooms only learn no other names.
    names: find !== "" && caller.admin,
    typed: type !== "",
    inState: state !== "",
  };
  // Walks over the index, up to the end for the total.
  if (narrows(narrowed)) {
    return readPage(organization.scan, { ...narrowed, fromEnd: false }, which, input);
  }
  if (owners.length > 0) return ownedRooms(organization, which, input);
  return allRooms(organization, which, input);
};
