import { isWhole } from "../../contract/history/history.ts";
import type { Change } from "../change/organization.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { keptSince } from "../history/retention.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { takeEntriesBack, touch } from "./back.ts";
import { entryOf } from "./entries.ts";
import { changedSince, presentChanged } from "./touched.ts";
import { takeWholeBack, type Undone } from "./whole.ts";

/** All entries of the change to which an entry belongs; their numbers are consecutive. */
const entriesWith = async (change: Change, number: number): Promise<readonly HistoryRow[]> => {
  const { tx, organization } = change;
  const entries = tx.selectFrom("history").where("organization_id", "=", organization.id);
  const named = await entries.selectAll().where("number", "=", number).executeTakeFirst();
  // If an entry is due for removal, other entries of its change may be gone already.
  const since = keptSince(change);
  if (named === undefined || (since !== undefined && named.at < since)) {
    return refuse("entry_not_found");
  }
  const others = entries.select("number").where("change_id", "!=", named.change_id).limit(1);
  const before = await others
    .where("number", "<", number)
    .orderBy("number", "desc")
    .executeTakeFirst();
  const behind = await others.where("number", ">", number).orderBy("number").executeTakeFirst();
  return entries
    .selectAll()
    .where("number", ">", before?.number ?? 0)
    .$if(behind !== undefined, (query) => query.where("number", "<", behind?.number ?? 0))
    .orderBy("number")
    .execute();
};

/**
 * Takes back the change of an entry, with all of its entries, if nothing that they touched has changed
 * since. The new entries name the ones that they take back. From an entry that stands for a whole, such
 * as an import, all of its parts are taken back, although many changes made them.
 *
 * @returns the numbers of the entries that were taken back, and how many `continueUndo` takes back
 * @throws Refusal `entry_not_found`, `undo_impossible`, `changed_since` with each field and its
 *   current value, and refusals of the rules that make such changes
 */
export const undoChange = async (
  change: Change,
  { number }: { readonly number: number },
): Promise<Undone> => {
  const rows = await entriesWith(change, number);
  const whole = rows.find(({ kind }) => isWhole(kind));
  if (whole !== undefined) return takeWholeBack(change, whole);
  const entries = rows.map((row) => entryOf(row));
  const changed = await changedSince(change, await touch(change, entries));
  if (changed.length > 0) {
    throw new Refusal("changed_since", changed.map(presentChanged));
  }
  await takeEntriesBack(change, entries);
  return { undone: entries.map((entry) => entry.number), left: 0 };
};
