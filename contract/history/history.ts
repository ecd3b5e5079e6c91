import { z } from "zod";
import { fieldError } from "../kit/field-error.ts";
import { choice, dateTime, instant, spanOfTime, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { limitTo, pagination, queryPage, search, sentPage } from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";

/*
 * The history of an organization: who changed what, and when. Parley's own operations, for administrators and
 * access keys.
 */

/** The kinds of entries. */
export const historyKinds = [
  "roomCreated",
  "roomEdited",
  "roomDeleted",
  "roomBinned",
  "roomUnbinned",
  "roomLinkRenewed",
  "roomScheduled",
  "roomsHandedOver",
  "roomsEdited",
  "roomsDeleted",
  "handOverStopped",
  "personBanned",
  "banLifted",
  "userCreated",
  "userEdited",
  "userSuspended",
  "userRestored",
  "userRevoked",
  "userReactivated",
  "userDeleted",
  "userBinned",
  "userUnbinned",
  "userExported",
  "passwordReset",
  "passwordChanged",
  "passwordLinkSent",
  "factorAdded",
  "factorRemoved",
  "factorReset",
  "recoveryCodesMade",
  "signedIn",
  "signInRefused",
  "signedOut",
  "recordingStarted",
  "recordingStopped",
  "recordingEdited",
  "recordingDeleted",
  "recordingShared",
  "recordingUnshared",
  "transcriptDeleted",
  "accessKeyCreated",
  "accessKeyEdited",
  "accessKeyRemoved",
  "webhookCreated",
  "webhookEdited",
  "webhookSecretRotated",
  "webhookSwitchedOff",
  "webhookRemoved",
  "providerCreated",
  "providerEdited",
  "providerRemoved",
  "accountLinked",
  "accountUnlinked",
  "organizationCreated",
  "organizationEdited",
  "organizationExported",
  "imported",
  "takenBack",
] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** The kinds that can be taken back. */
export const undoableKinds = [
  "roomEdited",
  "roomBinned",
  "roomUnbinned",
  "userEdited",
  "userSuspended",
  "userRestored",
  "userRevoked",
  "userReactivated",
  "accessKeyEdited",
  "userBinned",
  "userUnbinned",
  "recordingEdited",
  "webhookEdited",
  "organizationEdited",
] as const satisfies readonly HistoryKind[];
export type UndoableKind = (typeof undoableKinds)[number];

/** Returns whether a kind of entry can be taken back. */
export const isUndoable = (kind: HistoryKind): kind is UndoableKind =>
  undoableKinds.some((undoable) => undoable === kind);

/**
 * Returns whether an entry took the dates of a room away. It can be taken back; another change of dates cannot, because
 * people know of it by email.
 */
export const tookDatesAway = ({
  kind,
  before,
  after,
}: {
  readonly kind: HistoryKind;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}): boolean => kind === "roomScheduled" && after?.minutes === null && Boolean(before?.minutes);

/** Kinds of entries that stand for many changes; taking one back takes back all of them. */
export const wholeKinds = [
  "imported",
  "roomsHandedOver",
  "roomsEdited",
  "roomsDeleted",
  "takenBack",
] as const satisfies readonly HistoryKind[];
export type WholeKind = (typeof wholeKinds)[number];

/** Returns whether a kind of entry stands for many changes. */
export const isWhole = (kind: HistoryKind): kind is WholeKind =>
  wholeKinds.some((whole) => whole === kind);

/** The kinds of actors and subjects in the history. */
export const historyActors = ["user", "accessKey", "operator", "service", "anyone"] as const;
export type HistoryActor = (typeof historyActors)[number];
export const historySubjects = [
  "room",
  "user",
  "recording",
  "accessKey",
  "webhook",
  "provider",
  "organization",
] as const;
export type HistorySubject = (typeof historySubjects)[number];

const entry = z
  .strictObject({
    number: z.int(),
    at: instant(),
    kind: z.enum(historyKinds),
    changeId: z.string(),
    actor: z.strictObject({
      kind: z.enum(historyActors),
      id: z.string().nullable(),
      /** null: erased, because the person was deleted permanently. */
      name: z.string().nullable(),
      address: z.string().nullable(),
    }),
    subject: z.strictObject({
      kind: z.enum(historySubjects),
      id: z.string(),
      name: z.string().nullable(),
      /** The room concerned: the room itself, or that of a recording or an excluded person. */
      roomId: z.string().nullable(),
    }),
    /** Only the changed values; null if there was nothing before, or it is erased. */
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    /** The number of the entry that this entry takes back. */
    undoes: z.int().nullable(),
    /** The number of the whole's entry, if this entry is a part of one. */
    partOf: z.int().nullable(),
    erased: z.boolean(),
  })
  .meta({ title: "HistoryEntry" });
/** One entry of the history. */
export type HistoryEntry = z.output<typeof entry>;

const kindHelp = "Only entries of this kind; several are joined by commas.";
const sentKind = z.string().optional().meta({ description: kindHelp, joined: historyKinds });

/** The filters of the history. */
const wanted = z.object({
  kind: z
    .string({ error: says("not_one_of", { accepted: historyKinds }) })
    .transform((kinds) => kinds.split(",").map((kind) => kind.trim()))
    .pipe(z.array(choice(historyKinds)))
    .optional()
    .describe(kindHelp),
  subjectId: textField(128)
    .optional()
    .describe("Only what happened to this: a room ID, the ID of a person, an access key."),
  roomId: textField(128)
    .optional()
    .describe(
      "Only what happened to the room of this ID, to its recordings and links to them, and who is excluded from it.",
    ),
  actorId: textField(128).optional().describe("Only what this person or access key did."),
  personId: textField(128)
    .optional()
    .describe("Only what this person did, and what was done to their account."),
  from: dateTime().optional().describe("Only entries of this time or later."),
  to: dateTime().optional().describe("Only entries before this time."),
  search: search.describe("A part of the name of who acted or of what was acted upon."),
});

const size = limitTo(1000);
const wantedPage = wanted.extend({
  page: queryPage,
  limit: size.taken,
});

// It contains everybody's addresses, so each operation needs the scope `everything`.
export const listHistory = operation({
  group: "History",
  access: "administrator",
  failure: "message",
  scope: "everything",
  id: "listHistory",
  compressed: "always",
  method: "GET",
  path: "/api/history",
  summary: "Who changed what, newest first",
  in: "query",
  input: wantedPage.check(spanOfTime),
  sent: wantedPage.extend({ page: sentPage, limit: size.sent, kind: sentKind }),
  reply: success({ entries: z.array(entry), pagination }),
  status: 200,
  refusals: [],
});

/** The formats in which the history can be downloaded. */
export const historyFormats = ["jsonl", "csv"] as const;

const exported = wanted.extend({
  format: choice(historyFormats)
    .default("jsonl")
    .describe(
      "jsonl: one entry per line, as `listHistory` answers it; csv: a table, in which nothing is a formula.",
    ),
});

export const exportHistory = operation({
  group: "History",
  access: "administrator",
  failure: "message",
  scope: "everything",
  id: "exportHistory",
  compressed: "always",
  method: "GET",
  path: "/api/history/export",
  summary: "The history as a file, newest first",
  in: "query",
  input: exported.check(spanOfTime),
  sent: exported.extend({ kind: sentKind }),
  file: ["application/jsonl", "text/csv"],
  reply: z.string(),
  status: 200,
  refusals: [],
});

const refusals = [
  "entry_not_found",
  "undo_impossible",
  "changed_since",
  "room_not_found",
  "user_not_found",
  "access_key_not_found",
  "recording_not_found",
  "webhook_not_found",
  "not_in_bin",
  "bin_off",
  "bin_email_taken",
  "room_limit",
  "user_not_revoked",
  "email_taken",
  "user_limit",
  "user_is_revoked",
  "own_account",
  "last_administrator",
] as const;

const number = z
  .int({ error: says("not_entry_number") })
  .min(1, { error: says("not_entry_number") });

export const undoChange = operation({
  group: "History",
  access: "administrator",
  failure: "message",
  id: "undoChange",
  fresh: "sometimes",
  changes: true,
  method: "POST",
  path: "/api/history/undo",
  summary: "Take a change back, if nothing that it touched has changed since",
  in: "body",
  input: z.object({
    number: number.describe(
      "The number of an entry; all entries of the same change, or of the same whole, are taken back.",
    ),
  }),
  reply: success({ undone: z.array(z.int()), left: z.int() }),
  status: 200,
  refusals,
});

export const continueUndo = operation({
  group: "History",
  access: "administrator",
  failure: "message",
  scope: "everything",
  id: "continueUndo",
  fresh: "sometimes",
  method: "POST",
  path: "/api/history/undo/continue",
  summary: "Continue an undo that has many entries",
  in: "body",
  input: z.object({
    number: number.describe("The number of the entry that `undoChange` was asked to take back."),
  }),
  reply: success({
    undo: z.strictObject({
      number: z.int(),
      state: z.enum(["checking", "running", "done"]),
      entries: z.int(),
      done: z.int(),
      stayed: z.int(),
      errors: z.array(fieldError),
    }),
  }),
  status: 200,
  refusals: ["undo_not_begun", ...refusals],
});
