import type { Row } from "../../contract/kit/csv.ts";
import { saveFile } from "./save-file.ts";

/** The rows of one request of an export, in lists that have no largest page. */
export const EXPORT_PAGE = 500;

/** The rows of one page, and the total number of rows. */
export interface Piece {
  readonly rows: readonly Row[];
  readonly total: number;
}

/**
 * Reads all pages, one after the other.
 *
 * @param idOf identifies a row, because a row may move to another page while pages are read
 * @param onProgress receives the number of rows read, and the total
 */
export const collect = async (
  ask: (page: number, signal: AbortSignal) => Promise<Piece>,
  idOf: (row: Row) => unknown,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Piece["rows"]> => {
  const found = new Map<unknown, Row>();
  for (let page = 1; ; page += 1) {
    const { rows, total } = await ask(page, signal);
    for (const row of rows) found.set(idOf(row), row);
    onProgress(found.size, total);
    if (rows.length === 0 || found.size >= total) return [...found.values()];
  }
};

/** Saves a table as a file through the browser. */
export const download = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: "text/csv;charset=utf-8" }));
