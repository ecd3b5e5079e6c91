import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import type { ImportKind } from "../../../contract/imports/imports.ts";
import { trimBlanks } from "../../../contract/kit/csv.ts";
import { refuseFile } from "./fault.ts";
import { knownHeading } from "./headings.ts";
import { ROWS, type SheetRow } from "./table.ts";

/** How many characters are parsed in each turn of the event loop. */
const SLICE = 16 * 1024;
/** The separators of cells; in a tie the first one wins. */
const DELIMITERS = [",", ";", "\t", "|"] as const;
/** How many lines and characters decide what separates the cells. */
const SAMPLE = { lines: 25, letters: 64 * 1024 } as const;

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE) {
    yield text.slice(at, at + SLICE);
    await nextTurn();
  }
}

/** Blanks and quotation marks around a cell; those at its end are looked at from the first one only. */
const AROUND = /^[\s"]+|(?<![\s"])[\s"]+$/g;

/** The first lines, each cut at a delimiter outside quotation marks. */
const cutLines = (text: string, delimiter: string): readonly (readonly string[])[] => {
  const lines: string[][] = [];
  let cells: string[] = [];
  let from = 0;
  let quoted = false;
  const end = Math.min(text.length, SAMPLE.letters);
  for (let at = 0; at <= end && lines.length < SAMPLE.lines; at += 1) {
    const sign = at === end ? "\n" : (text[at] ?? "");
    if (sign === '"') quoted = !quoted;
    const isEnd = (sign === "\n" || sign === "\r") && (!quoted || at === end);
    if (!isEnd && (quoted || sign !== delimiter)) continue;
    cells.push(text.slice(from, at).replace(AROUND, ""));
    from = at + 1;
    if (!isEnd) continue;
    if (cells.some((cell) => cell !== "")) lines.push(cells);
    cells = [];
  }
  return lines;
};

/** How well a delimiter fits: by the headings that become known, and by lines of equal width. */
const fitOf = (kind: ImportKind, text: string, delimiter: string): number => {
  const lines = cutLines(text, delimiter);
  const known = Math.max(
    0,
    ...lines
      .slice(0, 15)
      .map((cells) => cells.slice(0, 200).filter((cell) => knownHeading(kind, cell)).length),
  );
  const widths = Map.groupBy(lines, ({ length }) => length);
  widths.delete(1);
  const common = Math.max(0, ...widths.values().map(({ length }) => length));
  const most = Math.max(0, ...lines.map(({ length }) => length));
  return known * 10_000 + common * 100 + Math.min(most, 99);
};

/** A text's delimiter, and the text without a first line that only names it (`sep=;`). */
const delimited = (
  kind: ImportKind,
  text: string,
): { readonly delimiter: string; readonly from: number } => {
  const named = /^"?sep\s?=\s?(.)"?[,;\t|]*\r?\n?/i.exec(text);
  if (named?.[1] !== undefined) return { delimiter: named[1], from: named[0].length };
  const fits = DELIMITERS.map((sign) => ({ sign, fit: fitOf(kind, text, sign) }));
  return { delimiter: fits.toSorted((one, other) => other.fit - one.fit)[0]?.sign ?? ",", from: 0 };
};

const BLANK = /[ \u00a0]/;

/**
 * Checks quotation marks, and removes blanks between them and the delimiters. A mark that closes
 * nothing or nowhere would swallow the lines after it.
 *
 * @throws FileFault naming the line on which the marks begin
 */
const withSoundQuotes = (text: string, delimiter: string): string => {
  if (!text.includes('"')) return text;
  const parts: string[] = [];
  let [kept, line, begun] = [0, 1, 0];
  let state: "start" | "plain" | "quoted" = "start";
  const isEnd = (at: number) => at >= text.length || /[\r\n]/.test(text[at] ?? "");
  const afterBlanks = (from: number): number => {
    let at = from;
    while (at < text.length && text[at] !== delimiter && BLANK.test(text[at] ?? "")) at += 1;
    return at;
  };
  const drop = (from: number, to: number): void => {
    parts.push(text.slice(kept, from));
    kept = to;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === "\n" || (sign === "\r" && text[at + 1] !== "\n")) line += 1;
    if (state === "quoted") {
      if (sign !== '"') continue;
      if (text[at + 1] === '"') {
        at += 1;
        continue;
      }
      const next = afterBlanks(at + 1);
      if (!isEnd(next) && text[next] !== delimiter) {
        refuseFile("file_quotes_in_cell", { line: begun });
      }
      drop(at + 1, next);
      at = next - 1;
      state = "plain";
    } else if (sign === delimiter || sign === "\n" || sign === "\r") state = "start";
    else if (state === "start") {
      const next = afterBlanks(at);
      if (text[next] === '"') {
        drop(at, next);
        at = next;
        begun = line;
        state = "quoted";
      } else state = "plain";
    }
  }
  if (state === "quoted") {
    refuseFile("file_quote_open", { line: begun });
  }
  parts.push(text.slice(kept));
  return parts.join("");
};

/** A formula with which spreadsheets keep leading zeros: `="00123"`. */
const FORMULA = /^="((?:[^"]|"")*)"$/;

/** The text of an unquoted cell. */
const plainCell = (cell: string): string => {
  const text = trimBlanks(cell);
  return FORMULA.exec(text)?.[1]?.replaceAll('""', '"') ?? text;
};

const quotedCell = (cell: string): string => FORMULA.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

/** The rows of a delimited text. @throws FileFault if it is no table */
export const rowsOfCsv = async (
  kind: ImportKind,
  given: string,
): Promise<{ readonly rows: readonly SheetRow[]; readonly delimiter: string }> => {
  const whole = given.replace(/^\uFEFF/, "");
  const { delimiter, from } = delimited(kind, whole);
  const text = withSoundQuotes(whole.slice(from), delimiter);
  const parser = Readable.from(slicesOf(text)).pipe(
    parse({
      cast: (value, { quoting }) => (quoting ? quotedCell(value) : plainCell(value)),
      delimiter,
      info: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      // A line with too few or too many cells is refused alone, not the whole file.
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // A file may have very many lines of delimiters only.
      skip_records_with_empty_values: true,
      to: ROWS,
    }),
  );
  const rows: SheetRow[] = [];
  let twice = from === 0 ? 0 : -1;
  try {
    for await (const { info, record } of parser as AsyncIterable<{
      readonly info: { readonly lines: number };
      readonly record: readonly string[];
    }>) {
      const joined = record.join();
      // The parser counts a two-character line end inside a cell as two.
      twice += joined.match(/\r\n/g)?.length ?? 0;
      const breaks = joined.match(/\r\n|\n|\r/g)?.length ?? 0;
      rows.push({ line: info.lines - twice - breaks, cells: record });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    refuseFile("file_not_csv", { why: error.message });
  }
  const last = rows.pop();
  if (last) rows.push({ ...last, endsFile: !/[\r\n]$/.test(text) });
  return { rows, delimiter };
};
