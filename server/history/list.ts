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

/** The entries that a caller asks for. */
export const entriesOf = (
  organization: Organization,
  { kind, subjectId, roomId, actorId, personId, from, to, search }: Wanted,
): SelectQueryBuilder<Tables, "history", unknown> => {
  // Also of one caller or room there may be very many: an access key that changes everything.
  const { id, scan: db } = organization;
  const term = termOf(search);
  return db
    .selectFrom("history")
    .where("organization_id", "=", id)
    .$if(kind !== undefined, (query) => query.where("kind", "in", kind ?? []))
    .$if(subjectId !== undefined, (query) => query.where("subject_id", "=", subjectId ?? ""))
    .$if(roomId !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb("room", "=", roomId ?? ""),
          eb.and([eb("subject_kind", "=", "room"), eb("subject_id", "=", roomId ?? "")]),
        ]),
      ),
    )
    .$if(actorId !== undefined, (query) => query.where("actor_id", "=", actorId ?? ""))
    .$if(personId !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb("actor_id", "=", personId ?? ""), eb("subject_id", "=", personId ?? "")]),
      ),
    )
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
  const found = entriesOf(organization, wanted);
  const { count } = await found
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  const total = Number(count);
  const offset = (page - 1) * limit;
  if (offset >= total) return { entries: [], total };
  const rows = await found
    .selectAll()
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { entries: rows.map(presentEntry), total };
};
