import { styleText } from "node:util";
import { printable } from "./printable.ts";

/** The probable width of a text in terminal columns: wide letters take two. */
const widthOf = (text: string): number => {
  const plain = text.replace(/\p{M}|\p{Cf}/gu, "");
  const wide = plain.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/gu,
  );
  return [...plain].length + (wide?.length ?? 0);
};

const pad = (text: string, width: number): string => text + " ".repeat(width - widthOf(text));

/** Rows as lines without styles, every column as wide as its widest cell, two spaces between them. */
export const columns = (given: readonly (readonly string[])[]): string[] => {
  const widths: number[] = [];
  const rows = given.map((row) => row.map(printable));
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

/** A table with headings; `none` if it has no rows. */
export const table = (
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string => {
  if (rows.length === 0) return none;
  const [head = "", ...lines] = columns([heading, ...rows]);
  return [styleText("bold", head, { stream: process.stdout }), ...lines].join("\n");
};

/** Names and values, one pair per line. */
export const pairs = (values: Readonly<Record<string, string>>): string =>
  columns(Object.entries(values)).join("\n");
