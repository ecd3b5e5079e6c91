import { setImmediate as nextTurn } from "node:timers/promises";
import { importFields } from "../../../contract/imports/fields.ts";
import {
  IMPORT_LINES,
  type ImportForm,
  type ImportKind,
} from "../../../contract/imports/imports.ts";
import {
  FILE_BYTES,
  type FileEncoding,
  type FileFormat,
  type Product,
  type ReadFacts,
  SHEET_COLUMNS,
  type SheetColumn,
} from "../../../contract/imports/sheets.ts";
import { isStorable } from "../../../contract/kit/fields.ts";
import { type Reason, reason } from "../../../contract/kit/reasons.ts";
import { fileText, isWorkbook } from "./bytes.ts";
import { type Columns, findColumns, missingIn } from "./columns.ts";
import { rowsOfCsv } from "./csv.ts";
import { dayOrderIn } from "./dates.ts";
import { refuseFile } from "./fault.ts";
import { cellValue, type Given, lineOf } from "./given.ts";
import { foldHeading } from "./headings.ts";
import { type JsonRow, rowsOfJson } from "./json.ts";
import { type SheetRow, type Table, tableOf } from "./table.ts";
import { readWorkbook } from "./xlsx.ts";

/* Turns files into lines: each has the fields of the interface that it gives, and nothing else. */

/** A file, and its options. */
export interface SheetFile {
  readonly kind: ImportKind;
  readonly form: ImportForm;
  readonly format: FileFormat | "auto";
  readonly content: string | Uint8Array;
  readonly encoding?: FileEncoding | undefined;
  readonly sheet?: string | undefined;
  readonly headless?: boolean | undefined;
  readonly timeZone?: string | undefined;
  readonly columns?: readonly (string | null)[] | undefined;
  /** The owner of the file: workbooks of different organizations take turns. */
  readonly whose?: string | undefined;
}

/** One entry of a file. */
export interface FileLine {
  /** The line on which it begins, from 1; in JSON the number of the entry. */
  readonly line: number;
  readonly given: Given;
  /** The fault of the line itself. */
  readonly fault?: Reason;
}

/** A file's content. */
export interface FileContent {
  readonly facts: ReadFacts;
  readonly lines: readonly FileLine[];
  readonly columns: readonly SheetColumn[];
  /** The required fields that no column fills. */
  readonly missing: readonly string[];
  /** Unknown columns, which are skipped. */
  readonly ignored: readonly string[];
  /** The names of the sheets of a workbook. */
  readonly sheets: readonly string[];
  /** Identifies files with these headings. */
  readonly headings: readonly string[];
  readonly hasHeadings: boolean;
}

/** The most unknown columns, examples of each, and skipped lines in an answer. */
const NAMES = 20;
const EXAMPLES = 3;
/** How many rows examples are taken from, and how many rows one turn of the event loop reads. */
const SAMPLE = 50;
const TOGETHER = 100;
const SKIPPED = 100;

interface Source {
  readonly table: Table;
  /** A row's values, by the places of its columns. */
  readonly valuesOf: (row: SheetRow) => (at: number) => unknown;
  readonly facts: Pick<ReadFacts, "format" | "encoding" | "delimiter" | "sheet">;
  readonly sheets: readonly string[];
}

/** The table that JSON entries make. */
const tableOfJson = (rows: readonly JsonRow[]): Table => ({
  headings: [...new Set(rows.flatMap(({ entry }) => Object.keys(entry)))],
  hasHeadings: true,
  rows: rows.map(({ entry, ...row }) => ({ ...row, cells: [entry] })),
  skipped: [],
});

const sourceOfJson = (kind: ImportKind, text: string, encoding: FileEncoding | null): Source => {
  const table = tableOfJson(rowsOfJson(kind, text));
  return {
    table,
    valuesOf: ({ cells: [entry] }) => {
      const values = (entry ?? {}) as Readonly<Record<string, unknown>>;
      return (at) => {
        const heading = table.headings[at] ?? "";
        return Object.hasOwn(values, heading) ? values[heading] : undefined;
      };
    },
    facts: { format: "json", encoding, delimiter: null, sheet: null },
    sheets: [],
  };
};

/**
 * Returns whether all headings are fields of the interface, letter for letter: the file may be an export.
 */
const isExport = (kind: ImportKind, headings: readonly string[]): boolean =>
  headings.every((heading) => importFields[kind].has(heading));

const ofTable = (
  kind: ImportKind,
  table: Table,
  rest: Omit<Source, "table" | "valuesOf">,
): Source => {
  const isExact = isExport(kind, table.headings);
  return {
    ...rest,
    table,
    valuesOf:
      ({ cells }) =>
      (at) =>
        cellValue(cells[at], isExact),
  };
};

const sourceOf = async ({
  kind,
  format,
  content,
  encoding: wanted,
  sheet: wantedSheet,
  headless = false,
  whose = "",
}: SheetFile): Promise<Source> => {
  const isBytes = typeof content !== "string";
  if (isBytes && (format === "xlsx" || isWorkbook(content))) {
    const { rows, sheet, sheets } = await readWorkbook(kind, content, wantedSheet, whose);
    return ofTable(kind, tableOf(kind, rows, headless), {
      facts: { format: "xlsx", encoding: null, delimiter: null, sheet },
      sheets,
    });
  }
  if (format === "xlsx") refuseFile("file_not_bytes");
  const { text, encoding } = isBytes
    ? fileText(content, wanted)
    : { text: content as string, encoding: null };
  const isJson = format === "json" || (format === "auto" && /^\uFEFF?\s*[[{]/.test(text));
  if (isJson) return sourceOfJson(kind, text, encoding);
  const { rows, delimiter } = await rowsOfCsv(kind, text);
  return ofTable(kind, tableOf(kind, rows, headless), {
    facts: { format: "csv", encoding, delimiter, sheet: null },
    sheets: [],
  });
};

/** Refuses headings with the same meaning if their cells differ. */
const refuseTwice = ({ table, valuesOf }: Source, { filling }: Columns): void => {
  const seen = new Map<string, number>();
  for (const { at } of filling) {
    const heading = foldHeading(table.headings[at] ?? "");
    const before = seen.get(heading);
    seen.set(heading, at);
    if (heading === "" || before === undefined) continue;
    const differs = table.rows.some((row) => {
      const [one, other] = [valuesOf(row)(before), valuesOf(row)(at)];
      return one !== undefined && other !== undefined && one !== other;
    });
    if (differs) refuseFile("file_column_twice", { name: table.headings[at] ?? "" });
  }
};

const faultIn = (given: Given, isExactText: boolean): Reason | undefined => {
  for (const value of Object.values(given).flat()) {
    if (typeof value !== "string") continue;
    // JSON escapes: the file's text may have neither literally.
    if (!isStorable(value)) return reason("line_not_storable");
    if (!isExactText && value.includes("\ufffd")) return reason("line_damaged");
  }
  return undefined;
};

/** A value as an example; a deeper one must not be serialized. */
const exampleOf = (value: unknown): string => {
  if (Array.isArray(value))
    return value.every((one) => typeof one !== "object") ? value.join("; ") : "…";
  return typeof value === "object" && value !== null ? "…" : String(value ?? "");
};

const presented = (
  { table, valuesOf }: Source,
  { known, filling }: Columns,
): readonly SheetColumn[] => {
  const targets = new Map(filling.map(({ at, target }) => [at, target]));
  const first = table.rows.slice(0, SAMPLE).map(valuesOf);
  return table.headings.slice(0, SHEET_COLUMNS).map((heading, at) => {
    const examples = new Set<string>();
    for (const valueAt of first) {
      if (examples.size >= EXAMPLES) break;
      const value = valueAt(at);
      const text = exampleOf(value);
      if (text.trim() !== "") examples.add(text.slice(0, 100));
    }
    return {
      heading: heading.slice(0, 200),
      field: targets.get(at) ?? null,
      known: known[at] !== undefined,
      examples: [...examples],
    };
  });
};

/** Returns whether an entry of Slack is a bot. */
const isBotEntry = (row: SheetRow, product: Product | null): boolean => {
  const [entry] = row.cells as readonly [Readonly<Record<string, unknown>>?];
  return (
    product === "slack" &&
    typeof entry === "object" &&
    (entry.is_bot === true || entry.id === "USLACKBOT")
  );
};

/**
 * Reads a file.
 *
 * @throws FileFault if the file as a whole cannot be read, has no lines, or too many
 */
export const readSheet = async (file: SheetFile): Promise<FileContent> => {
  const { kind, content } = file;
  if (Buffer.byteLength(content) > FILE_BYTES) {
    refuseFile("file_over", { max: FILE_BYTES });
  }
  const source = await sourceOf(file);
  const { table, valuesOf, facts } = source;
  if (table.headings.length === 0) refuseFile("file_without_headings");
  const columns = findColumns(kind, file.form, table.headings, file.columns);
  if (file.columns === undefined) refuseTwice(source, columns);
  const skipped = [...table.skipped];
  const isExactText = facts.format === "json" && facts.encoding === null;
  const about = {
    product: columns.product,
    timeZone: file.timeZone,
    dayOrder: dayOrderIn(
      columns.filling
        .filter(({ target }) => target === "scheduledDateTime")
        .flatMap(({ at }) => table.rows.map((row) => valuesOf(row)(at))),
    ),
  };
  const lines: FileLine[] = [];
  for (const [index, row] of table.rows.entries()) {
    if (index % TOGETHER === 0) await nextTurn();
    if (row.fault !== undefined) {
      lines.push({ line: row.line, given: {}, fault: row.fault });
      continue;
    }
    const { given, fault, isBot } = lineOf(kind, columns.filling, valuesOf(row), about);
    if (isBot || isBotEntry(row, columns.product)) {
      skipped.push({ line: row.line, why: "bot" });
      continue;
    }
    const wrong = faultIn(given, isExactText);
    if (wrong !== undefined) lines.push({ line: row.line, given: {}, fault: wrong });
    else lines.push({ line: row.line, given, ...(fault !== undefined && { fault }) });
  }
  if (lines.length === 0) refuseFile("file_empty");
  if (lines.length > IMPORT_LINES) {
    refuseFile("file_too_many_lines", { max: IMPORT_LINES });
  }
  const used = new Set(columns.filling.map(({ at }) => at));
  const ignored = table.headings.filter(
    (heading, at) => heading !== "" && columns.known[at] === undefined && !used.has(at),
  );
  return {
    facts: {
      ...facts,
      product: columns.product,
      skipped: skipped.toSorted((one, other) => one.line - other.line).slice(0, SKIPPED),
    },
    lines,
    columns: presented(source, columns),
    missing: missingIn(kind, columns.filling),
    ignored: ignored.slice(0, NAMES).map((name) => name.slice(0, 100)),
    sheets: source.sheets,
    headings: table.headings,
    hasHeadings: table.hasHeadings,
  };
};
