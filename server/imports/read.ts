import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import { readCell } from "../../contract/csv.ts";
import { isStorable } from "../../contract/fields.ts";
import { importFields, skippedFields } from "../../contract/import-fields.ts";
import { IMPORT_LINES, type ImportForm, type ImportKind } from "../../contract/imports.ts";
import { refuseField } from "../refusal.ts";
import { formOf } from "./forms.ts";

/* Turns files into lines: each has the fields of the interface that it gives, and nothing else. */

/** What a line gives, by the fields of the interface. */
export type Given = Readonly<Record<string, unknown>>;

/** One entry of a file. */
export interface FileLine {
  /** The line on which it begins, from 1; in JSON the number of the entry. */
  readonly line: number;
  readonly given: Given;
  /** What is wrong with it as a line of a file. */
  readonly fault?: string;
}

/** What a file holds. */
export interface FileContent {
  readonly lines: readonly FileLine[];
  /** Columns that nobody knows, which are skipped. */
  readonly ignored: readonly string[];
}

/** A file as it was uploaded. */
export interface File {
  readonly kind: ImportKind;
  readonly format: "csv" | "json";
  readonly form: ImportForm;
  readonly text: string;
}

/** An entry by the names of the file's own columns. */
interface Entry {
  readonly line: number;
  readonly cells: Readonly<Record<string, unknown>>;
  readonly fault?: string;
}

/** How much is parsed in each turn of the event loop, in characters. */
const SLICE = 16 * 1024;
/** The most unknown columns that are named. */
const NAMES = 20;

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE) {
    yield text.slice(at, at + SLICE);
    await nextTurn();
  }
}

/** The delimiter: the one of these that the heading has most of. */
const delimiterOf = (text: string): string => {
  const heading = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counted = [",", ";", "\t"].map((sign) => ({ sign, count: heading.split(sign).length }));
  return counted.toSorted((one, other) => other.count - one.count)[0]?.sign ?? ",";
};

const refuseText = (why: string): never => refuseField("text", why);

/** The rows of a table, each with the line on which it begins. */
const rowsOf = async (text: string): Promise<(readonly [number, readonly string[]])[]> => {
  const parser = Readable.from(slicesOf(text)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      // A line with too few or too many cells is refused by itself, and not the whole file.
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: IMPORT_LINES + 2,
    }),
  );
  const rows: (readonly [number, readonly string[]])[] = [];
  let twice = 0;
  try {
    for await (const { info, record } of parser as AsyncIterable<{
      readonly info: { readonly lines: number };
      readonly record: readonly string[];
    }>) {
      const text = record.join();
      // The parser counts a line end of two characters inside a cell as two.
      twice += text.match(/\r\n/g)?.length ?? 0;
      const breaks = text.match(/\r\n|\n|\r/g)?.length ?? 0;
      rows.push([info.lines - twice - breaks, record]);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    refuseText(`cannot be read as CSV: ${error.message}`);
  }
  return rows;
};

const entriesOfCsv = async (text: string): Promise<readonly Entry[]> => {
  const [heading, ...rows] = await rowsOf(text);
  if (heading === undefined) return refuseText("must have a heading with the names of the fields");
  const names = heading[1].map((name) => name.trim());
  const lasts = new Map(names.map((name, at) => [name, at]));
  const twice = names.find((name, at) => name !== "" && lasts.get(name) !== at);
  if (twice !== undefined) refuseText(`has the column ${JSON.stringify(twice)} twice`);
  return rows.map(([line, cells]) => {
    if (cells.length !== names.length) {
      const fault = `The line has ${cells.length} cells, the heading ${names.length}.`;
      return { line, cells: {}, fault };
    }
    const filled = names.flatMap((name, at) => {
      const cell = readCell(cells[at] ?? "");
      return name === "" || cell === "" ? [] : [[name, cell]];
    });
    return { line, cells: Object.fromEntries(filled) };
  });
};

const entriesOfJson = (text: string): readonly Entry[] => {
  let all: unknown;
  try {
    all = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return refuseText("cannot be read as JSON");
  }
  if (!Array.isArray(all)) return refuseText("must be a JSON array of objects");
  return all.map((entry: unknown, index) => {
    const line = index + 1;
    if (typeof entry === "object" && entry !== null && !Array.isArray(entry)) {
      return { line, cells: entry as Entry["cells"] };
    }
    return { line, cells: {}, fault: "The entry is not an object." };
  });
};

/** A text as its field takes it; a text that does not fit stays, and the field's own check refuses it. */
const valueIn = (type: string | undefined, value: unknown): unknown => {
  // No field has deeper values, and a deeply nested one must not be serialized again.
  if (typeof value === "object" && value !== null) {
    const isFlat = Array.isArray(value) && value.every((one) => typeof one !== "object");
    return isFlat ? value : {};
  }
  if (typeof value !== "string") return value;
  if (type === "flag" && /^(true|false)$/i.test(value.trim())) {
    return value.trim().toLowerCase() === "true";
  }
  if (type === "number" && /^\d{1,15}$/.test(value.trim())) return Number(value);
  if (type !== "list") return value;
  return value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
};

/** Whether the database can store and look up what a field gives. */
const canBeStored = (value: unknown): boolean =>
  [value].flat().every((one) => typeof one !== "string" || isStorable(one));

/** The columns that some entries have. */
const columnsOf = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ cells }) => Object.keys(cells)));

/**
 * Reads a file.
 *
 * @throws Refusal on `text`: not CSV or JSON, without lines, or with too many
 */
export const readFile = async ({ kind, format, form, text }: File): Promise<FileContent> => {
  const entries = format === "csv" ? await entriesOfCsv(text) : entriesOfJson(text);
  if (entries.length === 0) refuseText("has no lines");
  if (entries.length > IMPORT_LINES) {
    refuseText(`has more than ${IMPORT_LINES} lines: import it in parts`);
  }
  const types = importFields[kind];
  const { fieldsOf, knows } = formOf(form, kind);
  const ignored = [...columnsOf(entries)].filter(
    (name) => !knows(name) && !skippedFields.has(name),
  );
  const lines = entries.map(({ cells, ...entry }) => {
    const given = Object.entries(fieldsOf(cells)).flatMap(([name, value]) =>
      types.has(name) && value !== undefined ? [[name, valueIn(types.get(name), value)]] : [],
    );
    if (!given.every(([, value]) => canBeStored(value))) {
      // They come from escapes in JSON: the text of the file has neither.
      const fault = "The line has text with U+0000 or unpaired surrogates.";
      return { ...entry, given: {}, fault };
    }
    return { ...entry, given: Object.fromEntries(given) as Given };
  });
  return { lines, ignored: ignored.slice(0, NAMES).map((name) => name.slice(0, 100)) };
};
