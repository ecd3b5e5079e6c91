import { type SelectQueryBuilder, sql } from "kysely";
import type { listHistory as contract, HistoryEntry } from "../../contract/history/history.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import type { Organization } from "../change/organization.ts";
import { contains } from "../db/dialect.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { utcOf } from "../db/now.ts";
import { totalWith } from "../db/pieces.ts";
import type { Tables } from "../db/tables.ts";
import { termOf } from "../lib/fold.ts";

/** An entry as it is answered. */
export const presentEntry = (row: HistoryRow): HistoryEntry => {
  const who = row.who === null ? undefined : JSON.parse(row.who);
  const facts = row.facts === null ? undefined : JSON.parse(row.facts);
  return {
    number: row.number,
    at: row.at,
    kind: row.kind,
    changeId: row.change_id,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: who?.name ?? null,
      address: who?.address ?? null,
    },
    subject: {
      kind: row.subject_kind,
      id: row.subject_id,
      name: facts?.name ?? null,
      roomId: row.room,
    },
    before: facts?.before ?? null,
    after: facts?.after ?? null,
    undoes: row.undoes,
    partOf: row.part_of,
    erased: who === undefined || facts === undefined,
  };
};

/** The filters of a request. A room may have the same ID as a person, so a kind can be given. */
export type WantedEntries = Omit<Checked<typeof contract>, "page" | "limit"> & {
  readonly actorKind?: HistoryRow["actor_kind"];
  readonly subjectKind?: HistoryRow["subject_kind"];
};

type Entries = SelectQueryBuilder<Tables, "history", unknown>;
type Way = (entries: Entries) => Entries;
type Ways = readonly [Way, ...Way[]];

/**
 * The ways in which an entry can be about a person or a room. Each has an index and is queried
 * alone: with an OR between them, SQLite walks the whole history.
 */
const waysOf = ({ personId, roomId }: WantedEntries): Ways => {
  const all: Ways = [(entries) => entries];
  const byPerson: Ways =
    personId === undefined
      ? all
      : [
          (entries) => entries.where("actor_kind", "=", "user").where("actor_id", "=", personId),
          (entries) =>
            entries.where("subject_kind", "=", "user").where("subject_id", "=", personId),
        ];
  const byRoom: Ways =
    roomId === undefined
      ? all
      : [
          (entries) => entries.where("room", "=", roomId),
          (entries) => entries.where("subject_kind", "=", "room").where("subject_id", "=", roomId),
        ];
  const both = (person: Way) =>
    byRoom.map(
      (room): Way =>
        (entries) =>
          room(person(entries)),
    );
  const [first, ...others] = byPerson.flatMap(both);
  return [first ?? all[0], ...others];
};

/** The ways in which entries are read: of several kinds, the newest of each are found in an index. */
const readingWays = (wanted: WantedEntries): Ways => {
  const ways = waysOf(wanted);
  const [first, ...others] = (wanted.kind ?? []).map(
    (kind): Way =>
      (entries) =>
        entries.where("kind", "=", kind),
  );
  return first === undefined || ways.length > 1 || wanted.search !== "" ? ways : [first, ...others];
};

/** The part of the requested entries to read, newest first. */
interface Part {
  /** Only entries before this number. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly offset?: number;
}

/** The numbers of the requested entries; of each way only the newest `most`. */
const numbersOf = (
  { scan: db }: Organization,
  found: Entries,
  [first, ...others]: Ways,
  most?: number,
) => {
  const numbers = (way: Way) => {
    const entries = way(found).select("number").orderBy("number", "desc");
    return db
      .selectFrom((most === undefined ? entries : entries.limit(most)).as("newest"))
      .select("number");
  };
  return others.reduce((all, way) => all.union(numbers(way)), numbers(first)).as("wanted");
};

/** The number of requested entries; of those before one, if it is given. */
const countEntries = async (
  organization: Organization,
  wanted: WantedEntries,
  before?: HistoryRow,
): Promise<number> => {
  const ways = waysOf(wanted);
  const found = chosen(organization, wanted).$if(before !== undefined, (query) =>
    query.where("number", "<", before?.number ?? 0),
  );
  const count = sql<number | string>`count(*)`.as("count");
  const counted =
    ways.length === 1
      ? found.select(count)
      : organization.scan.selectFrom(numbersOf(organization, found, ways)).select(count);
  return Number((await counted.executeTakeFirstOrThrow()).count);
};

/** The requested entries, newest first. */
export const readEntries = async (
  organization: Organization,
  wanted: WantedEntries,
  { before, limit, offset = 0 }: Part,
): Promise<HistoryRow[]> => {
  const ways = readingWays(wanted);
  const found = chosen(organization, wanted).$if(before !== undefined, (query) =>
    query.where("number", "<", before ?? 0),
  );
  if (ways.length === 1 && wanted.search === "") {
    return found.selectAll().orderBy("number", "desc").limit(limit).offset(offset).execute();
  }
  // Even one person or room may have very many, and an index has all that a search looks at.
  const { id, scan: db } = organization;
  const numbers = await db
    .selectFrom(numbersOf(organization, found, ways, offset + limit))
    .select("number")
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  if (numbers.length === 0) return [];
  return db
    .selectFrom("history")
    .selectAll()
    .where("organization_id", "=", id)
    .where(
      "number",
      "in",
      numbers.map(({ number }) => number),
    )
    .orderBy("number", "desc")
    .execute();
};

/** The requested entries without a filter by person or room. */
const chosen = (
  { id, scan: db }: Organization,
  { kind, subjectId, subjectKind, actorId, actorKind, from, to, search }: WantedEntries,
): Entries => {
  const term = termOf(search);
  return db
    .selectFrom("history")
    .where("organization_id", "=", id)
    .$if(kind !== undefined, (query) => query.where("kind", "in", kind ?? []))
    .$if(subjectId !== undefined, (query) => query.where("subject_id", "=", subjectId ?? ""))
    .$if(subjectKind !== undefined, (query) =>
      query.where("subject_kind", "=", subjectKind ?? "user"),
    )
    .$if(actorKind !== undefined, (query) => query.where("actor_kind", "=", actorKind ?? "user"))
    .$if(actorId !== undefined, (query) => query.where("actor_id", "=", actorId ?? ""))
    .$if(from !== undefined, (query) => query.where("at", ">=", utcOf(from)))
    .$if(to !== undefined, (query) => query.where("at", "<", utcOf(to)))
    .$if(search !== "", (query) =>
      query.where(({ or }) =>
        or([contains(db, "actor_key", term), contains(db, "subject_key", term)]),
      ),
    );
};

/** The number of all entries: they are numbered without gaps, and the oldest ones are removed first. */
const countAll = async ({ read, id }: Organization): Promise<number> => {
  const { history_number: last, history_before: before } = await read
    .selectFrom("organizations")
    .select(["history_number", "history_before"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(last) - Number(before);
};

/** One page of the history, newest first, and the total. */
export const listHistory = async (
  organization: Organization,
  { page, limit, ...wanted }: Checked<typeof contract>,
): Promise<{ readonly entries: HistoryEntry[]; readonly total: number }> => {
  const { search, ...filters } = wanted;
  const isWhole = search === "" && Object.values(filters).every((value) => value === undefined);
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
  const all = isWhole ? await countAll(organization) : undefined;
  if (all !== undefined && offset >= all) return { entries: [], total: all };
  const rows = await readEntries(organization, wanted, { limit, offset });
  const total =
    all ??
    (await totalWith(rows, { offset, limit }, (last) => countEntries(organization, wanted, last)));
  return { entries: rows.map(presentEntry), total };
};
