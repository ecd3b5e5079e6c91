import {
  type HistoryEntry,
  type HistorySubject,
  isUndoable,
  isWhole,
  readNow,
} from "../../contract/history.ts";
import { organizationSettings as settings } from "../../contract/organization-settings.ts";
import { type FieldError, ParleyError } from "../data/client.ts";
import type { Named } from "../data/queries.ts";
import { showMoment } from "../data/show.ts";
import { sayValue } from "../parts/schema-field.tsx";
import { splitOwners } from "../rooms/owner-names.tsx";
import { t } from "../texts/index.ts";

type Labels = Readonly<Record<string, string>>;

const labelsOf: Partial<Record<HistorySubject, Labels>> = {
  room: t.rooms.labels,
  user: t.people.labels,
  accessKey: t.keys.labels,
  webhook: t.webhooks.labels,
  organization: t.settings.labels,
};

/** The name of a field, as the console's forms say it. */
export const labelOf = (subject: HistorySubject, field: string): string =>
  labelsOf[subject]?.[field] ?? t.history.field(field);

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

/** A value of the history in words; owners by their names. */
export const wordsOf = (field: string, value: unknown, named: Named): string => {
  if (field === "roomOwnerId" && typeof value === "string") {
    const names = splitOwners(value).map((id) => named?.get(id)?.name ?? id);
    return names.join(", ") || t.rooms.noOwner;
  }
  if (typeof value !== "string") return sayValue(value);
  const word = field === "lasts" ? t.history.lasts(value) : t.history.word(value);
  return word ?? (isMoment(value) ? showMoment(value) : sayValue(value));
};

/** A field that changed; undefined where there is no such side. */
export interface Fact {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What an entry tells, field by field. */
export const factsOf = ({ before, after }: Pick<HistoryEntry, "before" | "after">): Fact[] =>
  Object.keys({ ...before, ...after }).map((field) => ({
    field,
    before: before?.[field],
    after: after?.[field],
  }));

/** Whether an undo of this kind of entry is possible at all; whether it still is, the service says. */
export const canBeOffered = ({ kind, before }: HistoryEntry): boolean => {
  const fields = Object.keys(before ?? {});
  // Plans are the operator's.
  const isPlan = kind === "organizationEdited" && !fields.every((field) => field in settings);
  return isWhole(kind) || (isUndoable(kind) && fields.length > 0 && !isPlan);
};

/** What the lines of an import are about, by its kind. */
export const subjectOfLines = (kind: unknown): HistorySubject =>
  kind === "users" ? "user" : "room";

/** The subject whose fields an entry has; for a whole, the subject of its parts. */
export const subjectOf = ({ kind, subject, after }: HistoryEntry): HistorySubject => {
  if (!isWhole(kind)) return subject.kind;
  return subjectOfLines(after?.kind);
};

/** The owners that an entry names. */
export const ownersIn = ({
  before,
  after,
}: Pick<HistoryEntry, "before" | "after">): readonly string[] =>
  [before?.roomOwnerId, after?.roomOwnerId].flatMap((ids) =>
    typeof ids === "string" ? splitOwners(ids) : [],
  );

/** A field that is no longer as a change left it, and its value now. */
export interface ChangedField {
  /** The ID of what has the field, of a change with several entries; undefined: there is one. */
  readonly of: string | undefined;
  readonly field: string;
  readonly value: unknown;
}

const changedField = ({ field: path, message }: FieldError): ChangedField => {
  // Of a change with several entries the field follows an ID.
  const dot = path.lastIndexOf(".");
  return {
    of: dot === -1 ? undefined : path.slice(0, dot),
    field: path.slice(dot + 1),
    value: readNow(message),
  };
};

/** What changed since, if that is why an undo was refused. */
export const changedSince = (failure: unknown): readonly ChangedField[] =>
  failure instanceof ParleyError && failure.code === "changed_since"
    ? failure.errors.map(changedField)
    : [];
