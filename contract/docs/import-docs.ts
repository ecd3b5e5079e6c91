import type { ImportSummary } from "../imports/imports.ts";
import { IMPORT_DAYS, IMPORT_LINES, type ImportLine } from "../imports/imports.ts";
import {
  FILE_BODY_BYTES,
  FILE_BYTES,
  type ReadFacts,
  type SheetColumn,
} from "../imports/sheets.ts";
import type { Operations } from "../index.ts";
import { fieldErrorFields } from "../kit/field-error.ts";
import type { Reply } from "../kit/operation.ts";
import { ALL_LINES } from "../kit/plain.ts";
import type { MeaningsOf } from "./kit.ts";
import { points } from "./kit.ts";

/*
 * Descriptions of the operations of imports and meanings of their answers' fields, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type ImportOperation =
  | "readImport"
  | "createImport"
  | "continueImport"
  | "confirmImport"
  | "listImports"
  | "listImportLines"
  | "removeImport";

export const importDescriptions: Readonly<Record<ImportOperation, string>> = {
  readImport: `Reads a file of people or rooms as \`createImport\` would, and stores nothing: how it was recognized, what each column fills, and which needed columns are missing. Where somebody of the organization has assigned the columns of a file with these headings before, they are assigned in this way again (\`remembered\`).`,
  createImport: points(
    `Stores a file of people or rooms, of at most ${IMPORT_LINES} lines and ${FILE_BYTES / 1e6} MB in a body of at most ${FILE_BODY_BYTES / 1024 ** 2} MiB, for ${IMPORT_DAYS} days. \`continueImport\` checks its lines.`,
    "The file is `text`, or `file`: the bytes of CSV in any encoding, of JSON or of an .xlsx workbook.",
    "Columns are fields of the interface (of people `id`, `email`, `name`, the settings, `accountSuspended`, `accountDeleted`; of rooms `room`, `name`, `roomOwnerId`, the settings), or are called as in the console or in other products (docs/moving-in.md). A file without a needed column is refused.",
    "`columns` assigns them, and is remembered for the next file with these headings. Parts of fields are `firstName`, `lastName`, `enabled`, `status`, `emailAndName` (the part before the @ is also the name); of rooms `moreOwners`, `guestPolicy`, `chatOff`, `recordsByItself`, `atMost`.",
    "A person is recognized by ID or email, a room by its ID. Existing ones are changed in the given fields, others created with the given ID. An empty cell gives nothing; lists are joined by semicolons; `roomOwnerId` may name owners by email.",
  ),
  continueImport: points(
    "Checks the next lines of an import, or carries them out once it is confirmed, for about a second. Call it again while `state` is `checking` or `running`.",
    "A check carries a line out by the rules that create and edit, and undoes it: it says what would be created, changed and refused.",
    "A line is carried out once, also with several callers and after a crash.",
  ),
  confirmImport: points(
    "Confirms an import that is `ready`. Refused lines stay refused, and so does a line that would do something else than was confirmed.",
    `With \`all\`, the rest is one change of at most ${ALL_LINES} lines, or nothing: then the import is \`ready\` again, and a line says why.`,
    "With `possible`, each line is a change of its own, and `undoChange` takes all of them back from the import's `entry`.",
    "New people have no password; with `emails`, each gets a link to choose one.",
  ),
  listImports: `Returns the imports of the last ${IMPORT_DAYS} days, of which 100 at most.`,
  listImportLines: "Returns one page of the lines of an import, in the order of the file.",
  removeImport:
    "Forgets an import with its lines. One that is running goes no further; what it has done stays.",
};

const plan = {
  create: "Lines that would create somebody or something.",
  change: "Lines that would change it.",
  same: "Lines that would change nothing.",
  refuse: "Lines that are refused.",
};

const read: MeaningsOf<ReadFacts> = {
  format: "csv, json or xlsx.",
  encoding: "The encoding of the text; null of .xlsx, and of a file that came as text.",
  delimiter: "What separates the cells of CSV; null otherwise.",
  sheet: "The sheet of a workbook; null otherwise.",
  product: "Whose file it is, by its columns; null: of nobody whom Parley knows.",
  skipped: {
    is: "The lines that are passed over, 100 at most; empty lines are not listed.",
    fields: {
      line: "The line of the file.",
      why: "title, comment, heading, example, total, note or bot.",
    },
  },
};

const column: MeaningsOf<SheetColumn> = {
  heading: "The heading of the column; may be empty.",
  field: "The field, or the part of a field, that the column fills; null: it is skipped.",
  known: "Whether Parley knows the heading; such a column may be skipped on purpose.",
  examples: "Up to three values of the column.",
};

const summary: MeaningsOf<ImportSummary> = {
  id: "The ID of the import.",
  kind: "users: people; rooms: rooms.",
  form: "Whose form the file has.",
  name: "The name of the file; may be empty.",
  state:
    "checking: its lines are being checked; ready: it can be confirmed; running: it is carried out; done.",
  mode: "all or possible, as it was confirmed; null before.",
  emails: "Whether new people get an email.",
  entry:
    "The number of its entry in the history, from which `undoChange` takes it back; null before it is confirmed.",
  createdAt: "When it was uploaded: ISO 8601, UTC.",
  endedAt: "When it was done: ISO 8601, UTC; null before.",
  undoneAt:
    "When it was taken back as a whole: ISO 8601, UTC; null while it holds, or is not confirmed.",
  lines: "How many lines it has.",
  plan: { is: "How many lines were checked, by what they would do.", fields: plan },
  done: {
    is: "How many lines were carried out, by what they did.",
    fields: {
      created: "Lines that created somebody or something.",
      changed: "Lines that changed it.",
      same: "Lines that changed nothing.",
      refused: "Lines that were refused.",
    },
  },
  ignored: "Columns that nobody knows; they were skipped.",
  read: {
    is: "How the file was read; null of an import from before this was kept.",
    fields: read,
  },
};

const line: MeaningsOf<ImportLine> = {
  line: "The line of the file on which it begins; of JSON the number of the entry.",
  name: "The email of a person, the name of a room; empty once the person is deleted permanently.",
  called: "The name that the line gives a person; null where it gives none, or is carried out.",
  plan: "create, change, same or refuse; null before it is checked.",
  outcome: "created, changed, same or refused; null before it is carried out.",
  reason: "Why it is refused; null otherwise.",
  reasons: {
    is: "The same by codes; empty where it is not refused, and of a line that an earlier version refused.",
    fields: fieldErrorFields,
  },
  id: "The ID of the person or room; null before it is carried out.",
  before: {
    is: "The fields that it changes, as the check found them, and `admin` of a new administrator; null where it changes none, or its person was deleted permanently. A password, key, or address that may hold one, that is set is (set).",
    fields: {},
  },
  after: { is: "The same fields as the line has them; null where `before` is.", fields: {} },
};

type Answered = { readonly [K in ImportOperation]: MeaningsOf<Reply<Operations[K]>> };
const one = { import: { is: "The import.", fields: summary } };

/** The fields of the answers. @param pagination what the pagination fields mean */
export const importMeanings = (
  pagination: Answered["listImportLines"]["pagination"],
): Answered => ({
  readImport: {
    read: { is: "How the file was recognized.", fields: read },
    columns: { is: "Its columns in order, 500 at most.", fields: column },
    lines: "How many lines it has.",
    missing: "The needed fields that no column fills.",
    hasHeadings: "Whether the file has headings; without them, assign the columns.",
    remembered: "Whether the columns are assigned as somebody has assigned them before.",
    sheets: "The names of the sheets of a workbook that are not hidden.",
  },
  createImport: one,
  continueImport: one,
  confirmImport: one,
  listImports: { imports: { is: "The imports, the newest first.", fields: summary } },
  listImportLines: {
    ...one,
    lines: { is: "The lines of the page.", fields: line },
    pagination,
  },
  removeImport: {},
});
