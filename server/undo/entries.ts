import {
  type HistoryKind,
  isUndoable,
  isWhole,
  tookDatesAway,
  type UndoableKind,
} from "../../contract/history/history.ts";
import { initialOrganizationSettings } from "../../contract/kit/organization-settings.ts";
import { type FieldReason, type Reason, reason, wrong } from "../../contract/kit/reasons.ts";
import { CONCEALED } from "../../contract/kit/secrets.ts";
import type { Facts } from "../change/history.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { refuse } from "../lib/refusal.ts";
import { roomSecrets } from "../records/facts.ts";
import { webhookSecrets } from "../webhooks/webhooks.ts";

/* The entries of the history that can be taken back. */

/** Creations, which are taken back only as part of a whole. */
const createdKinds = ["roomCreated", "userCreated"] as const satisfies readonly HistoryKind[];
type CreatedKind = (typeof createdKinds)[number];
/** A change of dates is taken back only if it took them away. */
type DatesKind = "roomScheduled";

/** An entry that can be taken back. */
export interface UndoableEntry {
  readonly number: number;
  readonly at: string;
  readonly kind: UndoableKind | CreatedKind | DatesKind;
  /** The kind of the subject: a room and a person may have the same ID. */
  readonly of: HistoryRow["subject_kind"];
  readonly id: string;
  /** The subject's name in the history. */
  readonly name: string;
  readonly before: Facts;
  readonly after: Facts;
}

export const isCreation = (kind: HistoryKind): kind is CreatedKind =>
  createdKinds.some((created) => created === kind);

/** Why an entry of this kind cannot be taken back; undefined if it can. */
export const reasonAgainst = (kind: HistoryKind): Reason | undefined =>
  isUndoable(kind) || isWhole(kind) ? undefined : reason("kind_not_undone", { kind });

export const impossible = (why: Reason | undefined, errors: readonly FieldReason[] = []): never =>
  refuse("undo_impossible", errors, why);

/** The secret settings that an edit set, replaced or removed, or that a new room has. */
export const secretsOf = ({
  kind,
  before,
  after,
}: Pick<UndoableEntry, "kind" | "before" | "after">): readonly string[] => {
  if (kind === "webhookEdited") return Object.keys(before).filter((key) => webhookSecrets.has(key));
  if (kind === "roomEdited") return Object.keys(before).filter((key) => roomSecrets.has(key));
  return kind === "roomCreated" ? Object.keys(after).filter((key) => roomSecrets.has(key)) : [];
};

/** The facts of a new room or person that nobody has used yet. */
const unused: Readonly<Record<CreatedKind, Facts>> = {
  roomCreated: { meetings: 0 },
  userCreated: { rooms: 0, hasActed: false, accountSuspended: false, accountDeleted: false },
};

const creationOf = (
  { number, at, subject_kind, subject_id }: HistoryRow,
  kind: CreatedKind,
  { name, after }: Pick<UndoableEntry, "name" | "after">,
): UndoableEntry => ({
  number,
  at,
  kind,
  of: subject_kind,
  id: subject_id,
  name,
  before: {},
  after: { ...after, ...unused[kind] },
});

/** Returns whether an entry is an edit that changed nothing. */
export const changedNothing = ({ kind, facts }: Pick<HistoryRow, "kind" | "facts">): boolean =>
  isUndoable(kind) && facts !== null && Object.keys(JSON.parse(facts).before).length === 0;

/**
 * The entry as it can be taken back.
 *
 * @param isPart whether it is taken back with its whole: only then can a creation be taken back
 * @throws Refusal `undo_impossible`
 */
export const entryOf = (row: HistoryRow, isPart = false): UndoableEntry => {
  const { number, at, kind, subject_kind, subject_id, facts } = row;
  const isCreated = isPart && isCreation(kind);
  const isDates = kind === "roomScheduled";
  if (!isCreated && !isUndoable(kind) && !isDates) return impossible(reasonAgainst(kind));
  if (facts === null) return impossible(reason("former_erased"));
  const { name, before, after } = JSON.parse(facts);
  if (isCreated) return creationOf(row, kind, { name, after });
  if (isDates && !tookDatesAway({ kind, before, after })) return impossible(reasonAgainst(kind));
  if (changedNothing(row)) return impossible(reason("nothing_changed"));
  if (kind === "organizationEdited") {
    const isSetting = (field: string) => field in initialOrganizationSettings;
    if (!Object.keys(before).every(isSetting)) return impossible(reason("set_by_operator"));
  }
  // A secret that was not set before can be taken back: it is removed.
  const secrets = secretsOf({ kind, before, after }).filter((key) => before[key] === CONCEALED);
  if (secrets.length > 0) {
    impossible(
      reason("secrets_not_kept"),
      secrets.map((field) => wrong(field, "not_in_history")),
    );
  }
  return { number, at, kind, of: subject_kind, id: subject_id, name, before, after };
};
