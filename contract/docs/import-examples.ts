import type { ImportSummary } from "../imports/imports.ts";
import type { ReadFacts } from "../imports/sheets.ts";
import type { Operations } from "../index.ts";
import { errorOf, wrong } from "../kit/reasons.ts";
import type { ImportOperation } from "./import-docs.ts";
import type { Example } from "./kit.ts";

/*
 * An example of every request and answer about imports.
 */

const success = true;
const importId = "0199c2b7-3d10-7f84-a1c6-8e5b2d9f7a31";
const nothing = { created: 0, changed: 0, same: 0, refused: 0 };

const read: ReadFacts = {
  format: "csv",
  encoding: null,
  delimiter: ",",
  sheet: null,
  product: null,
  skipped: [],
};
const ready: ImportSummary = {
  id: importId,
  kind: "users",
  form: "parley",
  name: "people.csv",
  state: "ready",
  mode: null,
  emails: false,
  entry: null,
  createdAt: "2026-01-14T16:05:12.480Z",
  endedAt: null,
  undoneAt: null,
  lines: 2,
  plan: { create: 1, change: 0, same: 0, refuse: 1 },
  done: nothing,
  ignored: [],
  read,
};
const running: ImportSummary = {
  ...ready,
  state: "running",
  mode: "possible",
  emails: true,
  done: { ...nothing, refused: 1 },
};

export const importExamples: { readonly [K in ImportOperation]: Example<Operations[K]> } = {
  readImport: {
    request: {
      kind: "users",
      text: "E-Mail;Vorname;Nachname;Kostenstelle\r\nben@example.org;Ben;Example;12\r\n",
    },
    answer: {
      success,
      read: { ...read, delimiter: ";" },
      columns: [
        { heading: "E-Mail", field: "email", known: true, examples: ["ben@example.org"] },
        { heading: "Vorname", field: "firstName", known: true, examples: ["Ben"] },
        { heading: "Nachname", field: "lastName", known: true, examples: ["Example"] },
        { heading: "Kostenstelle", field: null, known: false, examples: ["12"] },
      ],
      lines: 1,
      missing: [],
      hasHeadings: true,
      remembered: false,
      sheets: [],
    },
  },
  createImport: {
    request: {
      kind: "users",
      format: "csv",
      name: "people.csv",
      text: "email,name,role\r\nben@example.org,Ben Example,moderator\r\nann@example,Ann Example,moderator\r\n",
    },
    answer: {
      success,
      import: {
        ...ready,
        state: "checking",
        plan: { create: 0, change: 0, same: 0, refuse: 0 },
      },
    },
  },
  continueImport: { request: { importId }, answer: { success, import: ready } },
  confirmImport: {
    request: { importId, mode: "possible", emails: true },
    answer: { success, import: running },
  },
  listImports: { answer: { success, imports: [ready] } },
  listImportLines: {
    request: { importId, plan: "refuse" },
    answer: {
      success,
      import: ready,
      lines: [
        {
          line: 3,
          name: "ann@example",
          called: "Ann Example",
          plan: "refuse",
          outcome: null,
          reason: "email must be an email address, such as ann@example.org",
          reasons: [errorOf(wrong("email", "not_email"))],
          id: null,
          before: null,
          after: null,
        },
      ],
      pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
    },
  },
  removeImport: { request: { id: importId }, answer: { success } },
};
