/** Up to so many rows are read at once. */
export const PIECE = 100;
/** Rows of a longer list that are read at a time: few enough that nobody waits for them. */
const SMALL = 25;

/** Leaves as much time to others as was taken, and a turn of the event loop in any case. */
export const rest = async (tookMs: number): Promise<void> => {
  const until = performance.now() + tookMs;
  do await new Promise(setImmediate);
  while (performance.now() < until);
};

/**
 * Reads up to `limit` rows: few at once, many in pieces between which others have their turn. Only
 * the first piece may skip rows; each later one starts where the one before ended (keyset).
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
    const size = limit <= PIECE ? limit : Math.min(left, SMALL);
    const from = performance.now();
    last = await read(last, size);
    // What the reader of the answer takes is not counted: it may be slow.
    const took = performance.now() - from;
    const rows = rowsIn(last);
    if (rows > 0) yield last;
    if (rows < size) return;
    left -= size;
    if (left === 0) return;
    await rest(took);
  }
}
