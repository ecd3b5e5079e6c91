import type { Selectable } from "kysely";
import { wrong } from "../../contract/kit/reasons.ts";
import { firstNumber } from "../change/history.ts";
import type { Change, Queries } from "../change/organization.ts";
import type { HistoryRow, UndoingsTable } from "../db/history-tables.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { touch } from "./back.ts";
import { changedNothing, entryOf, type UndoableEntry } from "./entries.ts";
import { type Changed, changedSince, type Touched } from "./touched.ts";

/* The parts of a whole, and how far it is taken back. */

/** How far a whole is taken back. */
export type Undoing = Selectable<UndoingsTable>;

/** The most entries of a piece; exceeded only to keep the entries of one change together. */
export const UNDO_PIECE = 50;

/** How far a whole is taken back; undefined if it is not being taken back in pieces. */
export const findUndoing = (db: Queries, organizationId: string, number: number) =>
  db
    .selectFrom("undoings")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("number", "=", number)
    .executeTakeFirst();

/** Sets how far a whole is taken back. */
export const setUndoing = async (
  { tx, organization }: Change,
  { number }: Pick<Undoing, "number">,
  columns: Partial<Undoing>,
): Promise<void> => {
  await tx
    .updateTable("undoings")
    .set(columns)
    .where("organization_id", "=", organization.id)
    .where("number", "=", number)
    .execute();
};

/** Deletes the record of how far a whole is taken back. */
export const removeUndoing = async (
  { tx, organization }: Change,
  number: number,
): Promise<void> => {
  await tx
    .deleteFrom("undoings")
    .where("organization_id", "=", organization.id)
    .where("number", "=", number)
    .execute();
};

/** The entries that are part of a whole. */
export const partsOf = ({ tx, organization }: Change, whole: number) =>
  tx
    .selectFrom("history")
    .where("organization_id", "=", organization.id)
    .where("part_of", "=", whole);

/** The last parts of a whole before a number, last one first; never only some of the parts of a change. */
export const nextParts = async (
  change: Change,
  { number, reached }: Pick<Undoing, "number" | "reached">,
  most: number,
): Promise<readonly HistoryRow[]> => {
  const parts = partsOf(change, number).selectAll().orderBy("number", "desc");
  const rows = await parts.where("number", "<", reached).limit(most).execute();
  const last = rows.at(-1);
  if (last === undefined) return [];
  const before = await partsOf(change, number)
    .select("number")
    .where("number", "<", last.number)
    .where("change_id", "!=", last.change_id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const same = parts.where("number", "<", last.number).where("number", ">", before?.number ?? 0);
  return [...rows, ...(await same.execute())];
};

/** Adds the entry that stands for the undo; call it before any other entry. @returns its number */
export const tellTakenBack = async (change: Change, number: number): Promise<number> => {
  const whole = await change.tx
    .selectFrom("history")
    .select(["subject_kind as kind", "subject_id as id", "facts"])
    .where("organization_id", "=", change.organization.id)
    .where("number", "=", number)
    .executeTakeFirst();
  const { kind, id, facts } = whole ?? refuse("entry_not_found");
  const subject = { kind, id, name: JSON.parse(facts ?? "{}").name ?? "" };
  change.happened({ kind: "takenBack", subject, undoes: number });
  return firstNumber(change);
};

/** The entries that can be taken back, in order, and the changes because of which others cannot. */
interface Parts {
  readonly entries: readonly UndoableEntry[];
  readonly changed: readonly Changed[];
}

const isBinned = (kind: UndoableEntry["kind"]): boolean =>
  kind === "roomBinned" || kind === "userBinned";

const goneOf = (id: string): Changed => {
  const field = `${id}.deleted`;
  return { id, ...wrong(field, "is_now", { what: field, now: true }) };
};

/** Checks whether the subjects of entries are as the entries left them. @param whole see `changedSince` */
export const lookAt = async (
  change: Change,
  rows: readonly HistoryRow[],
  whole?: number,
): Promise<Parts> => {
  // Entries without facts are about people who are deleted permanently: their former values are erased.
  const erased = new Set(rows.filter(({ facts }) => facts === null).map((row) => row.subject_id));
  const entries = rows
    .filter((row) => !erased.has(row.subject_id) && !changedNothing(row))
    .toReversed()
    .map((row) => entryOf(row, true));
  // A subject in the bin cannot have changed since it went there.
  const resting = new Set(entries.filter(({ kind }) => isBinned(kind)).map(({ id }) => id));
  const touched: Touched[] = [];
  const changed = [...erased].map(goneOf);
  for (const entry of entries.filter(({ id, kind }) => isBinned(kind) || !resting.has(id))) {
    try {
      touched.push(...(await touch(change, [entry])));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      changed.push(goneOf(entry.id));
    }
  }
  const options = { isPart: true, ...(whole !== undefined && { whole }) };
  changed.push(...(await changedSince(change, touched, options)));
  const stay = new Set(changed.map(({ id }) => id));
  return { entries: entries.filter(({ id }) => !stay.has(id)), changed };
};
