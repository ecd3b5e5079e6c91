import type { continueUndo as contract } from "../../contract/history/history.ts";
import type { Reply } from "../../contract/kit/operation.ts";
import { errorOf, type FieldReason, reason } from "../../contract/kit/reasons.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { asPart } from "../change/organization.ts";
import { asksForProof } from "../change/proof.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { takeEntriesBack } from "./back.ts";
import {
  findUndoing,
  lookAt,
  nextParts,
  removeUndoing,
  setUndoing,
  tellTakenBack,
  UNDO_PIECE,
  type Undoing,
} from "./parts.ts";
import { presentChanged } from "./touched.ts";

/* Takes a whole back in pieces: first tries all of them, then takes them back. */

/** How long one request works, in milliseconds. */
const WORK_MS = 1_000;

/** @throws Refusal `undo_not_begun` */
const undoingOf = async (db: Queries, id: string, number: number): Promise<Undoing> =>
  (await findUndoing(db, id, number)) ?? refuse("undo_not_begun");

/** Records that a piece is done. */
const moveOn = (
  change: Change,
  { number, done, stayed }: Undoing,
  rows: readonly HistoryRow[],
  kept: number,
): Promise<void> =>
  setUndoing(
    change,
    { number },
    {
      reached: rows.at(-1)?.number ?? 0,
      done: done + rows.length,
      stayed: stayed + kept,
    },
  );

/** Tries the next piece; after the last one, begins to take the whole back. */
const tryPiece = async (organization: Organization, number: number): Promise<void> => {
  const { id } = organization;
  let reached = 0;
  const tried = await organization
    .attempt(async (change) => {
      const row = await undoingOf(change.tx, id, number);
      if (row.state !== "checking") return [];
      reached = row.reached;
      const rows = await nextParts(change, row, UNDO_PIECE);
      if (rows.length === 0) return rows;
      const { entries, changed } = await lookAt(change, rows, number);
      if (changed.length > 0) throw new Refusal("changed_since", changed.map(presentChanged));
      await takeEntriesBack(change, entries);
      return rows;
    })
    .catch((error: unknown) => {
      if (error instanceof Refusal && !asksForProof(error)) return error;
      throw error;
    });
  const isOutdated = await organization.change(async (change) => {
    const row = await findUndoing(change.tx, id, number);
    if (row === undefined) return false;
    // Another request has finished this piece meanwhile, or has started over.
    if (row.state !== "checking" || row.reached !== reached) return true;
    if (tried instanceof Refusal) await removeUndoing(change, number);
    else if (tried.length > 0) await moveOn(change, row, tried, 0);
    else {
      const entry = await tellTakenBack(change, number);
      const last = Number.MAX_SAFE_INTEGER;
      await setUndoing(change, row, { state: "running", entry, reached: last, done: 0 });
    }
    return false;
  });
  if (tried instanceof Refusal && !isOutdated) throw tried;
};

/** Why a rule refuses to take something back: the field that is wrong, or the refusal as a whole. */
const whyOf = ({ code, errors: [first], reason: why }: Refusal): Omit<FieldReason, "field"> =>
  code === "invalid_input" && first !== undefined
    ? { about: first.field, reason: first.reason }
    : { reason: why ?? reason(code) };

/**
 * Takes the next piece back, except for subjects that have changed since it was tried.
 *
 * @returns what has changed
 */
const takePieceBack = async (
  organization: Organization,
  number: number,
  most: number = UNDO_PIECE,
): Promise<readonly FieldReason[]> => {
  const { id } = organization;
  let reached = 0;
  try {
    return await organization.change(async (change) => {
      const row = await undoingOf(change.tx, id, number);
      if (row.state !== "running") return [];
      reached = row.reached;
      const rows = await nextParts(change, row, most);
      if (rows.length === 0) {
        await setUndoing(change, row, { state: "done" });
        return [];
      }
      const { entries, changed } = await lookAt(change, rows);
      await takeEntriesBack(asPart(change, row.entry), entries);
      const stay = new Set(changed.map((one) => one.id));
      const kept = rows.filter(({ subject_id }) => stay.has(subject_id)).length;
      await moveOn(change, row, rows, kept);
      return changed.map(presentChanged);
    });
  } catch (error) {
    if (!(error instanceof Refusal) || asksForProof(error)) throw error;
    // A rule refuses something in it: tries the changes one at a time, and skips those that it refuses.
    if (most > 1) return takePieceBack(organization, number, 1);
    return organization.change(async (change) => {
      const row = await undoingOf(change.tx, id, number);
      if (row.reached !== reached) return [];
      const rows = await nextParts(change, row, 1);
      await moveOn(change, row, rows, rows.length);
      return rows.map(({ subject_id: field }) => ({ field, ...whyOf(error) }));
    });
  }
};

/**
 * Tries or takes back the next parts of a whole, for about a second.
 *
 * @returns how far it is; call it again while the state is `checking` or `running`
 * @throws Refusal `undo_not_begun`; during the check, as `undoChange`: then nothing is taken back
 */
export const continueUndo = async (
  organization: Organization,
  { number }: { readonly number: number },
): Promise<Reply<typeof contract>["undo"]> => {
  const until = performance.now() + WORK_MS;
  const errors: FieldReason[] = [];
  for (;;) {
    const { state, entries, done, stayed } = await undoingOf(
      organization.read,
      organization.id,
      number,
    );
    if (state === "done" || performance.now() > until) {
      return { number, state, entries, done, stayed, errors: errors.map(errorOf) };
    }
    if (state === "checking") await tryPiece(organization, number);
    else errors.push(...(await takePieceBack(organization, number)));
  }
};
