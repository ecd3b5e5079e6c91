import { inPieces } from "../db/pieces.ts";

/** Records of one kind, in pieces. */
export type Pieces = AsyncIterable<readonly object[]>;

/**
 * All rows in the order of a key, in pieces with pauses.
 *
 * @param read reads at most `size` rows after the given one, or the first rows
 */
export const inOrder = <Key, Row extends Key>(
  read: (after: Key | undefined, size: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> =>
  inPieces<readonly Row[]>(
    Number.POSITIVE_INFINITY,
    ({ length }) => length,
    (last, size) => read(last?.at(-1), size),
  );

/** Presents each row of the pieces. */
export async function* mapped<Row>(
  pieces: AsyncIterable<readonly Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<readonly object[]> {
  for await (const rows of pieces) yield rows.map(present);
}
