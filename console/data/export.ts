/** Rows of one page, and how many there are in all. */
export interface Piece {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

/** A cell that a spreadsheet would take for a formula gets an apostrophe before it. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  const text = Array.isArray(value)
    ? value.join("; ")
    : typeof value === "string"
      ? harmless(value)
      : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table as RFC 4180 writes it. */
export const toCsv = (columns: readonly string[], rows: Piece["rows"]): string =>
  [
    columns.join(","),
    ...rows.map((row) => columns.map((column) => cellOf(row[column])).join(",")),
  ].join("\r\n");

/**
 * All pages, one after the other.
 *
 * @param idOf rows that moved between pages while they were read are kept once
 * @param onProgress told how many of how many are there
 */
export const collect = async (
  ask: (page: number, signal: AbortSignal) => Promise<Piece>,
  idOf: (row: Readonly<Record<string, unknown>>) => unknown,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Piece["rows"]> => {
  const found = new Map<unknown, Readonly<Record<string, unknown>>>();
  for (let page = 1; ; page += 1) {
    const { rows, total } = await ask(page, signal);
    for (const row of rows) found.set(idOf(row), row);
    onProgress(found.size, total);
    if (rows.length === 0 || found.size >= total) return [...found.values()];
  }
};

/** Hands a text to the browser as a file. */
export const download = (name: string, text: string): void => {
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(
    new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
