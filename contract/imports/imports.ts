import { z } from "zod";
import { fieldError } from "../kit/field-error.ts";
import { choice, flag, id, instant, pathId, textField } from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { limitTo, pagination, queryPage, sentPage } from "../kit/pages.ts";
import { ALL_LINES, IMPORT_PAGE } from "../kit/plain.ts";
import { says } from "../kit/reasons.ts";
import {
  columnsInput,
  FILE_BODY_BYTES,
  FILE_BYTES,
  headlessInput,
  readFacts,
  readingInput,
  sheetColumn,
  timeZoneInput,
} from "./sheets.ts";

export { ALL_LINES } from "../kit/plain.ts";

/*
 * Imports of people and rooms: a file is stored line by line, each line is checked by the rules
 * that would carry it out, and nothing changes before a confirmation. Parley's own operations.
 */

/** The content of a file. */
export const importKinds = ["users", "rooms"] as const;
export type ImportKind = (typeof importKinds)[number];
/** The type of a file; auto: recognized. */
export const importFormats = ["csv", "json", "xlsx", "auto"] as const;
/** The format of the file: Parley's own fields, or those of another product (docs/moving-in.md). */
export const importForms = ["parley", "greenlight", "bigbluebutton", "jitsi"] as const;
export type ImportForm = (typeof importForms)[number];

/** The most lines of one file. */
export const IMPORT_LINES = 5000;
/** How long an import is kept, in days. */
export const IMPORT_DAYS = 7;

/** The possible effects of carrying out a line. */
export const linePlans = ["create", "change", "same", "refuse"] as const;
export type LinePlan = (typeof linePlans)[number];
/** The result of a line. */
export const lineOutcomes = ["created", "changed", "same", "refused"] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

const counts = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.strictObject(
    Object.fromEntries(words.map((word) => [word, z.int()])) as { [K in W[number]]: z.ZodInt },
  );

/** An import as every answer carries it. */
const summary = z
  .strictObject({
    id: z.string(),
    kind: z.enum(importKinds),
    form: z.enum(importForms),
    name: z.string(),
    /**
     * checking: its lines are being checked; ready: it can be confirmed; running: it is being carried out;
     * done: it is over.
     */
    state: z.enum(["checking", "ready", "running", "done"]),
    mode: z.enum(["all", "possible"]).nullable(),
    emails: z.boolean(),
    /** The number of the history entry by which it is taken back. */
    entry: z.int().nullable(),
    createdAt: instant(),
    endedAt: instant().nullable(),
    /** When it was taken back as a whole; null if it was not. */
    undoneAt: instant().nullable(),
    lines: z.int(),
    /** The number of checked lines, by plan. */
    plan: counts(linePlans),
    /** The number of carried out lines, by result. */
    done: counts(lineOutcomes),
    /** Unknown columns. */
    ignored: z.array(z.string()),
    /** How the file was read; null for older imports. */
    read: readFacts.nullable(),
  })
  .meta({ title: "ImportRecord" });
export type ImportSummary = z.output<typeof summary>;

const line = z
  .strictObject({
    line: z.int(),
    name: z.string(),
    /** The name of a person, until the line is carried out. */
    called: z.string().nullable(),
    plan: z.enum(linePlans).nullable(),
    outcome: z.enum(lineOutcomes).nullable(),
    reason: z.string().nullable(),
    reasons: z.array(fieldError),
    id: z.string().nullable(),
    /** The fields that the line changes, according to the check; secrets are concealed. */
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ title: "ImportLine" });
export type ImportLine = z.output<typeof line>;

const imports = {
  group: "Imports",
  access: "administrator",
  failure: "message",
  status: 200,
} as const;

const importId = id().describe("The ID of the import.");

/** A file, and its options. */
const file = {
  kind: choice(importKinds).describe("users: people; rooms: rooms."),
  format: choice(importFormats)
    .default("auto")
    .describe("csv, json, xlsx; auto: recognized by the content."),
  form: choice(importForms)
    .default("parley")
    .describe(
      "parley: the product is recognized by the columns; otherwise whose form the file has.",
    ),
  text: textField(FILE_BYTES, { required: says("required") })
    .optional()
    .describe("The content of the file as text; needed if `file` is not given."),
  ...readingInput,
  headless: headlessInput,
  timeZone: timeZoneInput,
};

/** A file is sent as text or as bytes. */
const hasContent = z.check<{
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}>(({ value, issues }) => {
  if (value.text !== undefined || value.file !== undefined) return;
  issues.push({ code: "custom", path: ["text"], message: says("required"), input: value });
});

export const readImport = operation({
  ...imports,
  id: "readImport",
  method: "POST",
  path: "/api/import/read",
  summary: "See how a file of people or rooms is read, before it is imported",
  in: "body",
  body: FILE_BODY_BYTES,
  input: z.object(file).check(hasContent),
  reply: success({
    read: readFacts,
    columns: z.array(sheetColumn),
    lines: z.int(),
    missing: z.array(z.string()),
    hasHeadings: z.boolean(),
    remembered: z.boolean(),
    sheets: z.array(z.string()),
  }),
  refusals: [],
});

export const createImport = operation({
  ...imports,
  id: "createImport",
  changes: true,
  method: "POST",
  path: "/api/import",
  summary: "Upload a file of people or rooms, to see what it would do",
  in: "body",
  body: FILE_BODY_BYTES,
  input: z
    .object({
      ...file,
      name: textField(200, { shown: "line" })
        .default("")
        .describe("The name of the file, to find the import again."),
      columns: columnsInput,
    })
    .check(hasContent),
  reply: success({ import: summary }),
  status: 201,
  refusals: [],
});

export const continueImport = operation({
  ...imports,
  id: "continueImport",
  fresh: "sometimes",
  method: "POST",
  path: "/api/import/continue",
  summary: "Check or carry out the next lines of an import",
  in: "body",
  input: z.object({ importId }),
  reply: success({ import: summary }),
  refusals: ["import_not_found"],
});

export const confirmImport = operation({
  ...imports,
  id: "confirmImport",
  fresh: "sometimes",
  changes: true,
  method: "POST",
  path: "/api/import/confirm",
  summary: "Confirm an import: from now on its lines are carried out",
  in: "body",
  input: z.object({
    importId,
    mode: choice(["all", "possible"]).describe(
      `all: every line or none, at most ${ALL_LINES} lines; possible: every line that can be.`,
    ),
    emails: flag()
      .default(false)
      .describe("Whether new people get an email with a link, by which they choose a password."),
  }),
  reply: success({ import: summary }),
  refusals: ["import_not_found", "import_not_ready", "import_refuses", "import_too_long"],
});

export const listImports = operation({
  ...imports,
  id: "listImports",
  compressed: "always",
  method: "GET",
  path: "/api/import",
  summary: "The imports of the last days, newest first",
  in: "nothing",
  input: nothing,
  reply: success({ imports: z.array(summary) }),
  refusals: [],
});

const size = limitTo(IMPORT_PAGE);
const wanted = z.object({
  importId,
  page: queryPage,
  limit: size.taken,
  plan: choice(linePlans).optional().describe("Only lines that are to become this."),
  outcome: choice(lineOutcomes).optional().describe("Only lines that became this."),
});

export const listImportLines = operation({
  ...imports,
  id: "listImportLines",
  compressed: "always",
  method: "GET",
  path: "/api/import/lines",
  summary: "The lines of an import: what is to become of each, what became of it, and why",
  in: "query",
  input: wanted,
  sent: wanted.extend({ page: sentPage, limit: size.sent }),
  reply: success({ import: summary, lines: z.array(line), pagination }),
  refusals: ["import_not_found"],
});

export const removeImport = operation({
  ...imports,
  id: "removeImport",
  changes: true,
  method: "DELETE",
  path: "/api/import/:id",
  summary: "Forget an import; what it has done stays",
  in: "path",
  input: z.object({ id: pathId().describe("The ID of the import.") }),
  reply: success({}),
  refusals: ["import_not_found"],
});
