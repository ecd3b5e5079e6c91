/** Rows read at a time: few enough that nobody waits for them, many enough to be quick. */
export const PIECE = 100;

/**
 * Reads up to `limit` rows in pieces, giving the event loop back between them. Only the first
 * piece may skip rows; each later one starts after the last row of the one before (keyset).
 *
 * @param read the next rows after a row (undefined: from the start), at most `size`
 */
export async function* inPieces<Row>(
  limit: number,
  read: (after: Row | undefined, size: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let left = limit;
  let after: Row | undefined;
  while (left > 0) {
    const size = Math.min(left, PIECE);
    const rows = await read(after, size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    left -= size;
    after = rows.at(-1);
    await new Promise(setImmediate);
  }
}
