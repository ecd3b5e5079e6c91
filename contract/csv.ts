/** One row of a table, by its columns. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The blanks before a sign, ASCII or full-width, with which a spreadsheet begins a formula. Spreadsheets
 * drop them, and take quotes in the middle of a line as they stand. Apostrophes count as blanks, so
 * that `readCell` finds what was written. A match begins at the first blank only: from every blank on,
 * the time would grow with the square of a cell's length.
 */
const BEFORE_SIGN =
  /(?<=^|;|[^\s\p{Z}\p{C}"'](?=[\s\p{Z}\p{C}"']))[\s\p{Z}\p{C}"']*(?=[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
const BEGINS = /^[\s\p{Z}\p{C}"']*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;

/** A cell that begins with one of these is dangerous by itself (OWASP, CSV injection). */
const CONTROL = /^(?='*[\t\r\n])/;
const GUARDED_CONTROL = /^'(?='*[\t\r\n])/;

/**
 * Changes the blanks before each sign. A formula may begin where the cell begins, and where a
 * spreadsheet that splits at semicolons, tabs or line ends would begin one: there, `change` finds a
 * tab or a line end.
 */
const beforeSigns = (text: string, change: (blanks: string) => string): string =>
  text.replace(BEFORE_SIGN, (blanks: string, at: number) =>
    at === 0 || text[at - 1] === ";" ? change(`\n${blanks}`).slice(1) : change(blanks),
  );

/** The text with an apostrophe wherever a spreadsheet would take what follows for a formula. */
const harmless = (text: string): string => {
  const safe = beforeSigns(text, (blanks) => blanks.replace(/[\t\r\n]/g, "$&'"));
  return BEGINS.test(text) ? safe : safe.replace(CONTROL, "'");
};

/** The text of a cell of such a table, without the apostrophes that keep it from being computed. */
export const readCell = (cell: string): string => {
  const text = beforeSigns(cell, (blanks) => blanks.replace(/(?<=[\t\r\n])'/g, ""));
  return BEGINS.test(cell) ? text : text.replace(GUARDED_CONTROL, "");
};

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = harmless(Array.isArray(value) ? value.join("; ") : String(value));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One line of a table, without its end. */
export const csvLine = (columns: readonly string[], row: Row): string =>
  columns.map((column) => cellOf(row[column])).join(",");

/** A table as RFC 4180 writes it, without anything that a spreadsheet computes. */
export const toCsv = (columns: readonly string[], rows: readonly Row[]): string =>
  [columns.join(","), ...rows.map((row) => csvLine(columns, row))].join("\r\n");
