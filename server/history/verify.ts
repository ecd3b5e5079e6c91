import { hash } from "node:crypto";
import type { HistoryRow } from "../db/history-tables.ts";
import type { Organization } from "../organization.ts";
import { linkOf } from "./keep.ts";

/** What is wrong with a history, and where. */
export interface Broken {
  readonly number: number;
  readonly what: string;
}

/** The result of a check. */
export interface Verified {
  /** How many entries there are, and how many of them tell less because a person was deleted. */
  readonly entries: number;
  readonly erased: number;
  /** The last entry that was removed because of its age; 0: none was. */
  readonly before: number;
  /** The digest of the last entry: kept elsewhere, it shows later that nothing before it was changed. */
  readonly digest: string;
  /** The first break; null: the chain holds. */
  readonly broken: Broken | null;
}

/** Few enough rows for a short query. */
const PIECE = 1000;

const isAltered = (text: string | null, digest: string): boolean =>
  text !== null && hash("sha256", text) !== digest;

const faultOf = (row: HistoryRow, before: { number: number; digest: string }): string | null => {
  if (row.number !== before.number + 1) return "entries before this one are missing";
  if (isAltered(row.who, row.who_digest)) return "who acted was altered";
  if (isAltered(row.facts, row.facts_digest)) return "what happened was altered";
  return linkOf(before.digest, row) === row.digest ? null : "the entry was altered";
};

/** Follows the chain of an organization's history from its first entry to its last. */
export const verifyHistory = async ({ read, id }: Organization): Promise<Verified> => {
  const end = await read
    .selectFrom("organizations")
    .select(["history_number", "history_digest", "history_before", "history_before_digest"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  let before = { number: end.history_before, digest: end.history_before_digest };
  let [entries, erased] = [0, 0];
  const broken = (number: number, what: string): Verified => ({
    ...{ entries, erased, before: end.history_before, digest: end.history_digest },
    broken: { number, what },
  });
  for (let goesOn = true; goesOn; ) {
    const rows = await read
      .selectFrom("history")
      .selectAll()
      .where("organization_id", "=", id)
      .where("number", ">", before.number)
      // What is added meanwhile is left for the next check.
      .where("number", "<=", end.history_number)
      .orderBy("number")
      .limit(PIECE)
      .execute();
    for (const row of rows) {
      const fault = faultOf(row, before);
      if (fault !== null) return broken(row.number, fault);
      entries += 1;
      if (row.who === null || row.facts === null) erased += 1;
      before = row;
    }
    goesOn = rows.length === PIECE;
  }
  if (before.number !== end.history_number)
    return broken(before.number, "the last entries are missing");
  if (before.digest !== end.history_digest) return broken(before.number, "the end was altered");
  return {
    ...{ entries, erased, before: end.history_before, digest: end.history_digest },
    broken: null,
  };
};
