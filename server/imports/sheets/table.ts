import { IMPORT_LINES, type ImportKind } from "../../../contract/imports/imports.ts";
import type { SkipReason } from "../../../contract/imports/sheets.ts";
import { trimBlanks } from "../../../contract/kit/csv.ts";
import { type Reason, reason } from "../../../contract/kit/reasons.ts";
import { foldHeading, knownHeading } from "./headings.ts";
import { foldWord } from "./words.ts";

/*
 * A sheet as rows of cells, and the table in it: people write titles above, totals and remarks
 * below, and leave lines and columns empty. `skipped` has each skipped line but empty ones.
 */

/** One row of a sheet. */
export interface SheetRow {
  /** The line on which it begins, from 1; in JSON the number of the entry. */
  readonly line: number;
  readonly cells: readonly unknown[];
  readonly fault?: Reason;
  /** That the file ends in this row, without a line end. */
  readonly endsFile?: boolean;
}

/** The lines that are passed over. */
export type Skipped = readonly { readonly line: number; readonly why: SkipReason }[];

/** The rows of people or rooms under their headings. */
export interface Table {
  readonly headings: readonly string[];
  /** True if the headings are the file's own. */
  readonly hasHeadings: boolean;
  readonly rows: readonly SheetRow[];
  readonly skipped: Skipped;
}

/** The most rows of a sheet that are read, empty ones apart: more than a file may have. */
export const ROWS = IMPORT_LINES + 1_000;
/** The most columns whose headings are read. */
export const COLUMNS = 1_000;
/** How far down headings are searched. */
const TITLES = 15;

const textIn = (cell: unknown): string => (typeof cell === "string" ? trimBlanks(cell) : "");
const isFilled = (cell: unknown): boolean => cell !== "" && textIn(cell) !== "";
const filledOf = (row: SheetRow): number => row.cells.filter(isFilled).length;

/** An address; it begins where no other sign of one precedes: trying each sign would take quadratic time. */
export const ADDRESS = /(?<![^\s@<>,;:"])[^\s@<>,;:"]+@[^\s@<>,;:"]+\.[^\s@<>,;:"]+/;
const hasAddress = ({ cells }: SheetRow): boolean =>
  cells.some((cell) => ADDRESS.test(textIn(cell)));

/** The required fields of a list, by which headings differ from a title. */
const needed: Readonly<Record<ImportKind, readonly string[]>> = {
  users: ["email", "emailAndName", "id"],
  rooms: ["name", "room"],
};

const targetsIn = (kind: ImportKind, { cells }: SheetRow): readonly string[] =>
  cells.slice(0, COLUMNS).flatMap((cell) => knownHeading(kind, textIn(cell))?.target ?? []);

/** The row of the headings; -1 if there are none. */
const placeOfHeadings = (kind: ImportKind, rows: readonly SheetRow[]): number => {
  const first = rows.slice(0, TITLES).map((row) => targetsIn(kind, row));
  const whole = first.findIndex(
    (targets, at) =>
      targets.some((target) => needed[kind].includes(target)) && !hasAddress(rows[at] as SheetRow),
  );
  if (whole >= 0) return whole;
  const most = Math.max(...first.map(({ length }) => length));
  if (most > 0) return first.findIndex(({ length }) => length === most);
  return kind === "users" && rows[0] !== undefined && hasAddress(rows[0]) ? -1 : 0;
};

const TOTAL =
  /^(?:grand ?)?(?:total|totals|sum|summe|gesamt|insgesamt|anzahl|count|somme|totale|suma|soma|totaal|summa|yhteensa|razem|celkem|osszesen|toplam|итого|всего|合計|总计|合计|總計|합계|المجموع)\b\s*[:=]?/iu;
const EXAMPLE =
  /^(?:example|sample|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|exempel|eksempel|esimerkki|przyklad|priklad|pelda|ornek|пример|例|示例|예|مثال)\s*[:：]/u;
const COMMENT = /^(?:#|\/\/|--)/;

/** The texts that files have below their last line. */
const END = /^(?:eof|end(?: of (?:the )?(?:file|list|report|table))?|ende|fin|fine)\b[.\s]*$/;

/**
 * Returns whether a single cell is a remark, such as "Exported on 27/11": few names have digits or colons.
 */
const isRemark = (row: SheetRow): boolean => {
  const text = textIn(row.cells.find(isFilled));
  if (filledOf(row) !== 1) return false;
  return END.test(foldWord(text)) || text.length > 60 || /[\d:;.!?()*©]/.test(text);
};

const foldedText = (cells: readonly unknown[]): string =>
  cells.map((cell) => foldHeading(textIn(cell))).join("\n");

/** Why a row below the headings is no person and no room; undefined if it is one. */
const reasonToSkip = (
  kind: ImportKind,
  row: SheetRow,
  { count, text }: { readonly count: number; readonly text: string },
  isBelow: boolean,
): SkipReason | undefined => {
  const filled = row.cells.filter(isFilled);
  const first = textIn(filled[0]);
  const folded = foldWord(first);
  if (foldedText(row.cells) === text) return "heading";
  if (EXAMPLE.test(folded)) return "example";
  if (count < 2 || hasAddress(row)) return undefined;
  const isWhole = row.cells.length === count && filled.length > 1;
  if (COMMENT.test(first) && (kind === "users" || !isWhole)) return "comment";
  const counts = filled.slice(1).every((cell) => /^[\d.,\s]*$/.test(textIn(cell)));
  if (TOTAL.test(folded) && counts) return "total";
  return isBelow && isRemark(row) ? "note" : undefined;
};

/**
 * The row with a cell for each heading, but for empty ones at its end, which programs leave out. A last row that
 * has fewer cells than every other one, and no line end, may be what is left of a file that was cut off.
 */
const fitted = (row: SheetRow, headings: number, shortest: number): SheetRow => {
  const cells = [...row.cells];
  while (cells.length > headings && !isFilled(cells.at(-1))) cells.pop();
  const isCut = row.endsFile === true && cells.length < Math.min(shortest, headings);
  if (!isCut && cells.length <= headings) return { ...row, cells };
  const counts = { cells: cells.length, headings };
  return { ...row, cells: [], fault: reason(isCut ? "line_cut_off" : "line_cells", counts) };
};

/** Finds the table in a sheet. @param headless whether somebody said that it has no headings */
export const tableOf = (kind: ImportKind, all: readonly SheetRow[], headless: boolean): Table => {
  const rows = all.filter((row) => row.cells.some(isFilled));
  const place = headless ? -1 : placeOfHeadings(kind, rows);
  const found = rows[place];
  const width = Math.max(0, ...rows.slice(0, TITLES).map(({ cells }) => cells.length));
  const headings = found
    ? found.cells.map((cell) => textIn(cell))
    : Array.from({ length: width }, () => "");
  while (found && headings.at(-1) === "") headings.pop();
  const skipped: { line: number; why: SkipReason }[] = rows
    .slice(0, Math.max(place, 0))
    .map(({ line }) => ({ line, why: "title" }));
  const below = rows.slice(place + 1);
  const lastWhole = below.findLastIndex((row) => filledOf(row) > 1 || hasAddress(row));
  const others = below.slice(0, -1).filter((row) => filledOf(row) > 1);
  const shortest = others.reduce((least, { cells }) => Math.min(least, cells.length), Infinity);
  const known = { count: headings.length, text: foldedText(headings) };
  const kept = below.flatMap((row, at): SheetRow[] => {
    const why = reasonToSkip(kind, row, known, at > lastWhole);
    if (why !== undefined) {
      skipped.push({ line: row.line, why });
      return [];
    }
    return [fitted(row, headings.length, shortest)];
  });
  return { headings, hasHeadings: found !== undefined, rows: kept, skipped };
};
