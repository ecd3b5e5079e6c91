import type { MeaningsOf } from "./answer-fields.ts";
import type { ImportSummary } from "./imports.ts";
import { IMPORT_DAYS, IMPORT_LINES, type ImportLine } from "./imports.ts";
import type { Operations } from "./index.ts";
import type { Reply } from "./operation.ts";
import { ALL_LINES, BODY_BYTES } from "./plain.ts";

/*
 * What the operations of imports do, and what the fields of their answers mean, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type ImportOperation =
  | "createImport"
  | "continueImport"
  | "confirmImport"
  | "listImports"
  | "listImportLines"
  | "removeImport";

export const importDescriptions: Readonly<Record<ImportOperation, string>> = {
  createImport: `Stores a file of people or rooms, of at most ${IMPORT_LINES} lines in a body of at most ${BODY_BYTES / 1024 ** 2} MiB, and does nothing else. Then \`continueImport\` checks its lines. The columns of a CSV file, and the keys of JSON, are the fields of the interface: of people \`id\`, \`email\`, \`name\`, the settings, \`accountSuspended\` and \`accountDeleted\`; of rooms \`room\`, \`name\`, \`roomOwnerId\` and the settings. A person is recognized by ID or email, a room by its ID: one that exists is changed in the fields that the line gives, otherwise created, with the ID that is given. An empty cell gives nothing; lists are joined by semicolons; \`roomOwnerId\` may name owners by email. An import is kept for ${IMPORT_DAYS} days.`,
  continueImport:
    "Checks the next lines of an import, or carries them out once it is confirmed, for about a second. Ask again while `state` is `checking` or `running`; nothing goes on by itself. A check carries a line out by the rules that create and edit, and undoes it: it says what would be created, changed and refused, and nothing is done. A line is carried out once, however often and by however many at the same time this is asked, also after a crash.",
  confirmImport: `Confirms an import that is \`ready\`. Lines that were to be refused stay refused. With \`all\`, the rest is carried out in one change, of at most ${ALL_LINES} lines, or nothing is: then the import is \`ready\` again, and a line says why. With \`possible\`, each line is a change of its own, and \`undoChange\` takes all of them back from the import's \`entry\`. A line that would do something else than was confirmed is refused. New people have no password; with \`emails\`, each gets a link to choose one.`,
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
};

const line: MeaningsOf<ImportLine> = {
  line: "The line of the file on which it begins; of JSON the number of the entry.",
  name: "The email of a person, the name of a room; empty once the person is deleted permanently.",
  plan: "create, change, same or refuse; null before it is checked.",
  outcome: "created, changed, same or refused; null before it is carried out.",
  reason: "Why it is refused; null otherwise.",
  id: "The ID of the person or room; null before it is carried out.",
  before: {
    is: "The fields that it changes, as the check found them; null where it changes none, or its person was deleted permanently. A password, key, or address that may hold one, that is set is (set).",
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
