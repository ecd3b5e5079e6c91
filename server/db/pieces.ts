/** Rows read at a time: few enough that nobody waits for them, many enough to be quick. */
export const PIECE = 100;

/**
 * Reads up to `limit` rows in pieces, giving the event loop back between them. Only the first
 * piece may skip rows; each later one starts where the one before ended (keyset).
 *
 * @param rowsIn how many rows a piece holds
 * @param read the piece after another one (undefined: from the start), of at most `size` rows
 */
export async function* inPieces<Piece>(
  limit: number,
  rowsIn: (piece: Piece) => number,
  read: (last: Piece | undefined, size: number) => Promise<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  let left = limit;
  let last: Piece | undefined;
  while (left > 0) {
    const size = Math.min(left, PIECE);
    last = await read(last, size);
    const rows = rowsIn(last);
    if (rows > 0) yield last;
    if (rows < size) return;
    left -= size;
    await new Promise(setImmediate);
  }
}
