import {
  type HistoryEntry,
  type HistorySubject,
  isUndoable,
  isWhole,
  tookDatesAway,
} from "../../contract/history/history.ts";
import { organizationSettings as settings } from "../../contract/kit/organization-settings.ts";
import { isolated } from "../../contract/kit/plain.ts";
import { sayEvent } from "../columns/say-event.ts";
import { splitOwners } from "../data/room-values.ts";
import { type FieldError, ParleyError } from "../kit/client.ts";
import type { Named } from "../kit/queries.ts";
import { type GivenReason, lastErrorText } from "../kit/reasons.ts";
import { sayField } from "../kit/schema-field.tsx";
import { showMoment, showRow } from "../kit/show.ts";
import { wordIn } from "../kit/words.ts";
import { t } from "../texts/index.ts";

type Labels = Readonly<Record<string, string>>;

const labelsOf: Partial<Record<HistorySubject, Labels>> = {
  room: t.rooms.labels,
  user: t.people.labels,
  accessKey: t.keys.labels,
  webhook: t.webhooks.labels,
  provider: t.providers.labels,
  organization: t.settings.labels,
};

/** The name of a field, as in the console's forms. */
export const labelOf = (subject: HistorySubject, field: string): string =>
  labelsOf[subject]?.[field] ?? wordIn(t.history.fields, field) ?? field;

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

/** The words of fields, as in the console's forms. */
const wordsOf: Readonly<Record<string, object>> = {
  allows: t.recordings.rights,
  binFor: t.bin.settings.choices,
  firstPasswords: t.settings.firstPasswords,
  kind: t.imports.kinds,
  lasts: t.history.lasts,
  mode: t.history.modes,
  ownersMay: t.settings.ownersMay,
  scope: t.keys.scopes,
  secondFactorFor: t.settings.secondFactorFor,
  signInBy: t.providers.ways,
  state: t.webhooks.states,
  with: {
    app: t.history.words.app,
    passkey: t.history.fields.passkey,
    "recovery code": t.history.words.recoveryCode,
  },
};

/** A value from the history in words; owners by name. */
export const valueInWords = (field: string, value: unknown, named: Named): string => {
  if (field === "roomOwnerId" && typeof value === "string") {
    const names = splitOwners(value).map((id) => isolated(named?.get(id)?.name ?? id));
    return showRow(names) || t.rooms.noOwner;
  }
  if (field === "events" && Array.isArray(value)) return showRow(value.map(sayEvent));
  if (typeof value !== "string") return sayField(field, value);
  const { words } = t.history;
  const isHidden = value === "(set)";
  const word = isHidden ? words.set : wordIn(wordsOf[field] ?? words, value);
  return word ?? (isMoment(value) ? showMoment(value) : sayField(field, value));
};

/** A field that changed; a side is undefined if the field did not exist there. */
export interface Fact {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A value after the change; the error of a webhook that was switched off is in the page's language. */
const afterOf = (after: HistoryEntry["after"], field: string): unknown => {
  if (field !== "lastError") return after?.[field];
  return lastErrorText({
    lastError: after?.lastError as string | null,
    lastReason: after?.lastReason as GivenReason | null,
  });
};

/** The facts of an entry, field by field. */
export const factsOf = ({ before, after }: Pick<HistoryEntry, "before" | "after">): Fact[] =>
  Object.keys({ ...before, ...after })
    .filter((field) => field !== "lastReason")
    .map((field) => ({ field, before: before?.[field], after: afterOf(after, field) }));

/** Returns whether this kind of entry can be undone in principle; the service decides whether it still can. */
export const canBeOffered = ({ kind, before, after }: HistoryEntry): boolean => {
  if (tookDatesAway({ kind, before, after })) return true;
  const fields = Object.keys(before ?? {});
  // Plans are set by the operator.
  const isPlan = kind === "organizationEdited" && !fields.every((field) => field in settings);
  return isWhole(kind) || (isUndoable(kind) && fields.length > 0 && !isPlan);
};

/** The subject of an import's lines, by its kind. */
export const subjectOfLines = (kind: unknown): HistorySubject =>
  kind === "users" ? "user" : "room";

/** The subject whose fields an entry has; for a whole, the subject of its parts. */
export const subjectOf = ({ kind, subject, after }: HistoryEntry): HistorySubject => {
  if (!isWhole(kind)) return subject.kind;
  return subjectOfLines(after?.kind);
};

/** The owners that an entry names. */
export const ownersOfEntry = ({
  before,
  after,
}: Pick<HistoryEntry, "before" | "after">): readonly string[] =>
  [before?.roomOwnerId, after?.roomOwnerId].flatMap((ids) =>
    typeof ids === "string" ? splitOwners(ids) : [],
  );

/** A field that changed after the undone change, and its current value. */
export interface ChangedField {
  /** The ID of the field's room or person, if the change has several entries. */
  readonly of: string | undefined;
  readonly field: string;
  readonly value: unknown;
}

const changedField = (error: FieldError): ChangedField => {
  const { field: path } = error;
  // If the change has several entries, the ID precedes the field.
  const dot = path.lastIndexOf(".");
  return {
    of: dot === -1 ? undefined : path.slice(0, dot),
    field: path.slice(dot + 1),
    value: error.code === "is_now" ? error.now : null,
  };
};

/** The later changes, if they are why an undo was refused. */
export const fieldsChangedSince = (failure: unknown): readonly ChangedField[] =>
  failure instanceof ParleyError && failure.code === "changed_since"
    ? failure.errors.map(changedField)
    : [];
