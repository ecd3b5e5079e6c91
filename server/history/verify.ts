import { hash } from "node:crypto";
import { linkOf } from "../change/history.ts";
import type { Organization } from "../change/organization.ts";
import type { HistoryRow } from "../db/history-tables.ts";

/** The fault of a history, and its place. */
export interface BrokenChain {
  readonly number: number;
  readonly what: string;
}

/** The result of a check. */
export interface Verified {
  /** How many entries there are, and how many have erased data. */
  readonly entries: number;
  readonly erased: number;
  /** The last entry removed by its age; 0 if none was. */
  readonly before: number;
  /**
   * The digest of the last entry: kept elsewhere, it later proves that nothing before it was
   * changed.
   */
  readonly digest: string;
  /** True if the chain has the kept digest, or none was given. */
  readonly hasKept: boolean;
  /** The first break; null: the chain is intact. */
  readonly broken: BrokenChain | null;
}

/** Small enough for a short query. */
const PIECE = 1000;

/** The last entry about each person's permanent deletion. */
type Deletions = ReadonlyMap<string, number>;

/** The people who may be erased from an entry: actor and subject (`erasePeople`). */
const peopleOf = (
  row: HistoryRow,
): { readonly who: string | null; readonly facts: string | null } => {
  const subject = row.subject_kind === "user" ? row.subject_id : null;
  if (row.actor_kind === "user") return { who: row.actor_id, facts: subject };
  return { who: row.actor_kind === "anyone" ? subject : null, facts: subject };
};

/** The deletions of the people who are erased from these entries. */
const deletionsOf = async (
  { read, id }: Organization,
  rows: readonly HistoryRow[],
  end: number,
): Promise<Deletions> => {
  const people = rows.flatMap((row) => {
    const { who, facts } = peopleOf(row);
    return [row.who === null ? who : null, row.facts === null ? facts : null];
  });
  const ids = [...new Set(people)].filter((one) => one !== null);
  if (ids.length === 0) return new Map();
  const deletions = await read
    .selectFrom("history")
    .select(({ fn }) => ["subject_id", fn.max("number").as("number")])
    .where("organization_id", "=", id)
    .where("subject_id", "in", ids)
    .where("kind", "=", "userDeleted")
    .where("number", "<=", end)
    .groupBy("subject_id")
    .execute();
  return new Map(deletions.map(({ subject_id, number }) => [subject_id, Number(number)]));
};

/** The room that an entry must have; for some recordings, only the column says which it is. */
const roomOf = ({ subject_kind, subject_id, facts, room }: HistoryRow): string | null => {
  // It may have been left empty during the development.
  if (subject_kind === "room") return room === null ? null : subject_id;
  const stated: string | undefined = JSON.parse(facts ?? "{}").room;
  // Erased facts no longer name it.
  return stated ?? (subject_kind === "recording" || facts === null ? room : null);
};

const faultOf = (
  row: HistoryRow,
  before: { readonly number: number; readonly digest: string },
  deletions: Deletions,
): string | null => {
  const person = peopleOf(row);
  // Without a deletion in the chain, the text was erased outside the service.
  const isAltered = (part: "who" | "facts"): boolean => {
    const text = row[part];
    if (text !== null) return hash("sha256", text) !== row[`${part}_digest`];
    return (deletions.get(person[part] ?? "") ?? 0) <= row.number;
  };
  if (row.number !== before.number + 1) return "entries before this one are missing";
  if (isAltered("who")) return "who acted was altered";
  if (isAltered("facts")) return "what happened was altered";
  if (roomOf(row) !== row.room) return "the room was altered";
  return linkOf(before.digest, row) === row.digest ? null : "the entry was altered";
};

/**
 * Follows the chain of an organization's history from its first entry to its last.
 *
 * @param kept the digest of what was the last entry, kept elsewhere
 */
export const verifyHistory = async (
  organization: Organization,
  kept?: string,
): Promise<Verified> => {
  const { read, id } = organization;
  const end = await read
    .selectFrom("organizations")
    .select(["history_number", "history_digest", "history_before", "history_before_digest"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  let before = { number: end.history_before, digest: end.history_before_digest };
  let [entries, erased] = [0, 0];
  let hasKept = kept === undefined || kept === before.digest;
  const verified = (found: BrokenChain | null): Verified => ({
    entries,
    erased,
    before: end.history_before,
    digest: end.history_digest,
    hasKept,
    broken: found,
  });
  const broken = (number: number, what: string) => verified({ number, what });
  for (let goesOn = true; goesOn; ) {
    const rows = await read
      .selectFrom("history")
      .selectAll()
      .where("organization_id", "=", id)
      .where("number", ">", before.number)
      // Entries added meanwhile are left to the next check.
      .where("number", "<=", end.history_number)
      .orderBy("number")
      .limit(PIECE)
      .execute();
    const deletions = await deletionsOf(organization, rows, end.history_number);
    for (const row of rows) {
      const fault = faultOf(row, before, deletions);
      if (fault !== null) return broken(row.number, fault);
      entries += 1;
      if (row.who === null || row.facts === null) erased += 1;
      if (row.digest === kept) hasKept = true;
      before = row;
    }
    goesOn = rows.length === PIECE;
  }
  if (before.number !== end.history_number)
    return broken(before.number, "the last entries are missing");
  if (before.digest !== end.history_digest) return broken(before.number, "the end was altered");
  return verified(null);
};
