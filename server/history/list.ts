import type { SelectQueryBuilder } from "kysely";
import type { listHistory as contract, HistoryEntry } from "../../contract/history.ts";
import type { Checked } from "../../contract/operation.ts";
import { contains } from "../db/dialect.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { utcOf } from "../db/now.ts";
import type { Tables } from "../db/tables.ts";
import { termOf } from "../fold.ts";
import type { Organization } from "../organization.ts";

/** An entry as it is answered. */
export const presentEntry = (row: HistoryRow): HistoryEntry => {
  const who = row.who === null ? undefined : JSON.parse(row.who);
  const facts = row.facts === null ? undefined : JSON.parse(row.facts);
  return {
    ...{ number: row.number, at: row.at, kind: row.kind, changeId: row.change_id },
    actor: {
      ...{ kind: row.actor_kind, id: row.actor_id },
      ...{ name: who?.name ?? null, address: who?.address ?? null },
    },
    subject: {
      ...{ kind: row.subject_kind, id: row.subject_id },
      ...{ name: facts?.name ?? null, roomId: row.room },
    },
    ...{ before: facts?.before ?? null, after: facts?.after ?? null },
    ...{ undoes: row.undoes, partOf: row.part_of },
    erased: who === undefined || facts === undefined,
  };
};

/** Which entries are wanted. */
export type Wanted = Omit<Checked<typeof contract>, "page" | "limit">;

type Entries = SelectQueryBuilder<Tables, "history", unknown>;
type Way = (entries: Entries) => Entries;

/**
 * The ways in which an entry may be of a person, and of a room. Each has an index; where they are
 * joined by an OR, SQLite walks the whole history.
 */
const waysOf = ({ personId, roomId }: Wanted): readonly Way[] => {
  const byPerson: readonly Way[] =
    personId === undefined
      ? [(entries) => entries]
      : [
          (entries) => entries.where("actor_id", "=", personId),
          (entries) => entries.where("subject_id", "=", personId),
        ];
  const byRoom: readonly Way[] =
    roomId === undefined
      ? [(entries) => entries]
      : [
          (entries) => entries.where("room", "=", roomId),
          (entries) => entries.where("subject_kind", "=", "room").where("subject_id", "=", roomId),
        ];
  return byPerson.flatMap((person) =>
    byRoom.map(
      (room): Way =>
        (entries) =>
          room(person(entries)),
    ),
  );
};

/** Which of the entries that are wanted are read, newest first. */
interface Last {
  /** Only entries before this number. */
  readonly before?: number | undefined;
  /** Only so many. */
  readonly most: number;
}

/** The entries that a caller asks for; with `last`, only the newest of them. */
export const entriesOf = (organization: Organization, wanted: Wanted, last?: Last): Entries => {
  const found = chosen(organization, wanted).$if(last?.before !== undefined, (query) =>
    query.where("number", "<", last?.before ?? 0),
  );
  const [way, ...others] = waysOf(wanted);
  if (way === undefined || others.length === 0) return found;
  // Also of one caller or room there may be very many: an access key that changes everything.
  const { id, scan: db } = organization;
  const numbersOf = (one: Way) => {
    const entries = one(found).select("number").orderBy("number", "desc");
    const some = last === undefined ? entries : entries.limit(last.most);
    return db.selectFrom(some.as("one")).select("number");
  };
  const numbers = others.reduce((all, one) => all.union(numbersOf(one)), numbersOf(way));
  return db.selectFrom("history").where("organization_id", "=", id).where("number", "in", numbers);
};

/** The entries that a caller asks for, of whatever person and room. */
const chosen = (
  { id, scan: db }: Organization,
  { kind, subjectId, actorId, from, to, search }: Wanted,
): Entries => {
  const term = termOf(search);
  return db
    .selectFrom("history")
    .where("organization_id", "=", id)
    .$if(kind !== undefined, (query) => query.where("kind", "in", kind ?? []))
    .$if(subjectId !== undefined, (query) => query.where("subject_id", "=", subjectId ?? ""))
    .$if(actorId !== undefined, (query) => query.where("actor_id", "=", actorId ?? ""))
    .$if(from !== undefined, (query) => query.where("at", ">=", utcOf(from)))
    .$if(to !== undefined, (query) => query.where("at", "<", utcOf(to)))
    .$if(search !== "", (query) =>
      query.where(({ or }) =>
        or([contains(db, "actor_key", term), contains(db, "subject_key", term)]),
      ),
    );
};

/** One page of the history, newest first, and how many entries there are. */
export const listHistory = async (
  organization: Organization,
  { page, limit, ...wanted }: Checked<typeof contract>,
): Promise<{ readonly entries: HistoryEntry[]; readonly total: number }> => {
  const { count } = await entriesOf(organization, wanted)
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  const total = Number(count);
  const offset = (page - 1) * limit;
  if (offset >= total) return { entries: [], total };
  const rows = await entriesOf(organization, wanted, { most: offset + limit })
    .selectAll()
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { entries: rows.map(presentEntry), total };
};
