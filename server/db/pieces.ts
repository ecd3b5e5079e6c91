import { setTimeout } from "node:timers/promises";

/** Lists of up to this many rows are read in one query. */
export const PIECE = 100;
/** The rows per query of a longer list: few enough that nobody waits for them. */
const SMALL = 25;

/** A piece that took longer was itself waiting; and a service that stops waits until the pause is over. */
const LONGEST_REST_MS = 1_000;

/** The entries of a long list in their order, at most `size` at a time: a statement has no room for all. */
export function* piecesOf<One>(all: readonly One[], size: number): Generator<readonly One[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/**
 * Leaves as much time to others as the last piece took, a second at most, and at least one turn of the
 * event loop.
 */
export const rest = async (tookMs: number): Promise<void> => {
  const restMs = Math.min(tookMs, LONGEST_REST_MS);
  const until = performance.now() + restMs;
  // A timer knows whole milliseconds only, and most pieces take less than a few.
  if (restMs >= 1) await setTimeout(Math.floor(restMs));
  do await new Promise(setImmediate);
  while (performance.now() < until);
};

/**
 * Reads up to `limit` rows: few in one query, many in pieces, with turns for others in between. Only
 * the first piece may skip rows; each later one starts after the previous one (keyset).
 *
 * @param rowsIn the number of rows in a piece
 * @param read reads the piece after `last` (undefined: the first piece), of at most `size` rows
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
    // The time that the reader of the answer takes does not count: it may be slow.
    const took = performance.now() - from;
    const rows = rowsIn(last);
    if (rows > 0) yield last;
    if (rows < size) return;
    left -= size;
    if (left === 0) return;
    await rest(took);
  }
}

/**
 * The total of a list of which a page was read, without walking over the same rows again: only what is behind a
 * full page is counted.
 *
 * @param countBehind counts the rows behind one, or all
 */
export const totalWith = async <Row>(
  rows: readonly Row[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  countBehind: (last?: Row) => Promise<number>,
): Promise<number> => {
  if (rows.length === 0 && offset > 0) return countBehind();
  return offset + rows.length + (rows.length < limit ? 0 : await countBehind(rows.at(-1)));
};
