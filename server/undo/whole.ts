import { reason } from "../../contract/kit/reasons.ts";
import type { Change } from "../change/organization.ts";
import { asPart } from "../change/organization.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { Refusal } from "../lib/refusal.ts";
import { takeEntriesBack } from "./back.ts";
import { impossible, isCreation, reasonAgainst } from "./entries.ts";
import {
  findUndoing,
  lookAt,
  nextParts,
  partsOf,
  removeUndoing,
  tellTakenBack,
  UNDO_PIECE,
} from "./parts.ts";
import { presentChanged } from "./touched.ts";

/*
 * An import or a hand-over may have made very many changes. Its entry stands for all of them and takes
 * them back: a few in one change, more of them in pieces, for a second in each request, like imports
 * (0037). First all pieces are tried in changes that are then rolled back, so that nothing is taken back
 * if something has changed since. A row says how far the undo is, and is updated in the change of each
 * piece, so each entry is taken back exactly once, even after a kill.
 */

/** The part that an undo has done at once, and how many entries are left for `continueUndo`. */
export interface Undone {
  readonly undone: readonly number[];
  readonly left: number;
}

/** Refuses a whole that is not finished yet. @throws Refusal `undo_impossible` */
const refuseUnfinished = async (
  { tx, organization: { id } }: Change,
  { number, kind }: HistoryRow,
): Promise<void> => {
  if (kind === "imported") {
    const imports = tx.selectFrom("imports").select("id").where("organization_id", "=", id);
    const running = imports.where("entry", "=", number).where("state", "=", "running");
    if (await running.executeTakeFirst()) impossible(reason("undo_unfinished", { kind }));
  }
  if (kind === "roomsHandedOver") {
    const left = tx.selectFrom("hand_overs").select("user_id").where("organization_id", "=", id);
    if (await left.where("entry", "=", number).executeTakeFirst()) {
      impossible(reason("undo_unfinished", { kind }));
    }
  }
  if (kind === "takenBack") {
    const going = tx.selectFrom("undoings").select("number").where("organization_id", "=", id);
    const running = going.where("entry", "=", number).where("state", "=", "running");
    if (await running.executeTakeFirst()) impossible(reason("undo_unfinished", { kind }));
  }
};

/** Counts the parts; refuses if one of them cannot be taken back. @throws Refusal `undo_impossible` */
const countParts = async (change: Change, { number }: HistoryRow): Promise<number> => {
  const kinds = await partsOf(change, number)
    .select(({ fn }) => ["kind", fn.countAll<number | string>().as("count")])
    .groupBy("kind")
    .execute();
  const against = kinds.find(({ kind }) => !isCreation(kind) && reasonAgainst(kind) !== undefined);
  if (against) impossible(reasonAgainst(against.kind));
  if (kinds.length === 0) impossible(reason("nothing_to_undo"));
  return kinds.reduce((sum, { count }) => sum + Number(count), 0);
};

/** Takes back a few parts, all of them or none. */
const takeAllBack = async (
  change: Change,
  number: number,
  rows: readonly HistoryRow[],
): Promise<void> => {
  const { entries, changed } = await lookAt(change, rows);
  if (changed.length > 0) throw new Refusal("changed_since", changed.map(presentChanged));
  const entry = await tellTakenBack(change, number);
  await takeEntriesBack(asPart(change, entry), entries);
};

/**
 * Takes back a whole: at once if it has few parts, otherwise lets `continueUndo` do it. An undo that is
 * running goes on; one that was still checking begins again.
 *
 * @throws Refusal as `undoChange`
 */
export const takeWholeBack = async (change: Change, whole: HistoryRow): Promise<Undone> => {
  const { number } = whole;
  const { tx, organization } = change;
  const going = await findUndoing(tx, organization.id, number);
  if (going?.state === "running") return { undone: [], left: going.entries - going.done };
  // Things may have changed since the last check.
  await removeUndoing(change, number);
  await refuseUnfinished(change, whole);
  const entries = await countParts(change, whole);
  const reached = Number.MAX_SAFE_INTEGER;
  if (entries <= UNDO_PIECE) {
    const rows = await nextParts(change, { number, reached }, UNDO_PIECE);
    await takeAllBack(change, number, rows);
    return { undone: rows.map((row) => row.number).toReversed(), left: 0 };
  }
  const begun = { state: "checking", entry: null, entries, reached, done: 0, stayed: 0 } as const;
  await tx
    .insertInto("undoings")
    .values({ organization_id: organization.id, number, ...begun })
    .execute();
  return { undone: [], left: entries };
};
