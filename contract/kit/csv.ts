/** One row of a table, by its columns. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The blanks before a sign, ASCII or full-width, with which a spreadsheet begins a formula.
 * Spreadsheets drop the blanks and read quotes within a line literally. Apostrophes count as
 * blanks, so that `readCell` finds the original. A match begins only at the first blank: starting
 * at every blank would take quadratic time.
 */
const BEFORE_SIGN =
  /(?<=^|;|[^\s\p{Z}\p{C}"'](?=[\s\p{Z}\p{C}"']))[\s\p{Z}\p{C}"']*(?=[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
const BEGINS = /^[\s\p{Z}\p{C}"']*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;

/** A cell that begins with one of these is dangerous alone (OWASP, CSV injection). */
const CONTROL = /^(?='*[\t\r\n])/;
const GUARDED_CONTROL = /^'(?='*[\t\r\n])/;

/**
 * Changes the blanks before each sign. A formula may begin at the start of a cell, or where a
 * spreadsheet that splits at semicolons, tabs or line ends starts a cell: `change` finds a tab or a
 * line end there.
 */
const beforeSigns = (text: string, change: (blanks: string) => string): string =>
  text.replace(BEFORE_SIGN, (blanks: string, at: number) =>
    at === 0 || text[at - 1] === ";" ? change(`\n${blanks}`).slice(1) : change(blanks),
  );

/** The text with an apostrophe before every possible formula. */
const harmless = (text: string): string => {
  const safe = beforeSigns(text, (blanks) => blanks.replace(/[\t\r\n]/g, "$&'"));
  return BEGINS.test(text) ? safe : safe.replace(CONTROL, "'");
};

/** A cell of such a table without the apostrophes that prevent formulas. */
export const readCell = (cell: string): string => {
  const text = beforeSigns(cell, (blanks) => blanks.replace(/(?<=[\t\r\n])'/g, ""));
  return BEGINS.test(cell) ? text : text.replace(GUARDED_CONTROL, "");
};

/** Invisible surroundings of a value: blanks of all kinds, and marks without a width. */
const UNSEEN = /[\s\u00ad\u200b-\u200f\u2060\ufeff]/;

/** A text without surrounding blanks, invisible ones included. */
export const trimBlanks = (text: string): string => {
  let from = 0;
  let to = text.length;
  while (from < to && UNSEEN.test(text[from] ?? "")) from += 1;
  while (to > from && UNSEEN.test(text[to - 1] ?? "")) to -= 1;
  return text.slice(from, to);
};

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = harmless(Array.isArray(value) ? value.join("; ") : String(value));
  // Quotation marks keep surrounding blanks, which readers otherwise remove.
  return /[",;|\t\r\n]/.test(text) || trimBlanks(text) !== text
    ? `"${text.replaceAll('"', '""')}"`
    : text;
};

/** One line of a table, without its end. */
export const csvLine = (columns: readonly string[], row: Row): string =>
  columns.map((column) => cellOf(row[column])).join(",");

/** A table in the format of RFC 4180, without formulas. */
export const toCsv = (columns: readonly string[], rows: readonly Row[]): string =>
  [columns.join(","), ...rows.map((row) => csvLine(columns, row))].join("\r\n");

/** A table as a file: the byte order mark tells spreadsheets that it is UTF-8. */
export const csvFile = (columns: readonly string[], rows: readonly Row[]): string =>
  `\uFEFF${toCsv(columns, rows)}`;
