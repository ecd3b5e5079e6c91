/** One row of a table, by its columns. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A sign that makes a formula of a cell, ASCII or full-width, at the beginning of a cell, or where
 * a spreadsheet that splits at semicolons, tabs or line ends would begin one. Such a spreadsheet
 * also drops blanks before the sign, and takes quotes in the middle of a line as they stand.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s\p{Z}\p{C}"]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/** A cell that begins with one of these is dangerous by itself (OWASP, CSV injection). */
const CONTROL = /^(?=[\t\r\n])/;

/** The text with an apostrophe wherever a spreadsheet would take what follows for a formula. */
const harmless = (text: string): string => text.replace(FORMULA, "'").replace(CONTROL, "'");

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
