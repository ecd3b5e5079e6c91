/** One row of a table, by its columns. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A place where a spreadsheet would begin a formula: a sign, ASCII or full-width, at the beginning of
 * a cell, or where a spreadsheet that splits at semicolons, tabs or line ends would begin one. Such
 * a spreadsheet also drops blanks before the sign, and takes quotes in the middle of a line as they
 * stand. Apostrophes before the sign count as blanks, so that `readCell` finds what was written.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s\p{Z}\p{C}"']*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
const GUARDED = /(?<=^|[;\t\r\n])'(?=[\s\p{Z}\p{C}"']*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
const BEGINS = /^[\s\p{Z}\p{C}"']*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;

/** A cell that begins with one of these is dangerous by itself (OWASP, CSV injection). */
const CONTROL = /^(?='*[\t\r\n])/;
const GUARDED_CONTROL = /^'(?='*[\t\r\n])/;

/** The text with an apostrophe wherever a spreadsheet would take what follows for a formula. */
const harmless = (text: string): string => {
  const safe = text.replace(FORMULA, "'");
  return BEGINS.test(text) ? safe : safe.replace(CONTROL, "'");
};

/** The text of a cell of such a table, without the apostrophes that keep it from being computed. */
export const readCell = (cell: string): string => {
  const text = cell.replace(GUARDED, "");
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
