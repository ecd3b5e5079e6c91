/**
 * The text of an answer, which may be sent without end.
 *
 * @param most the most bytes of it
 * @returns undefined if it has more, which are not read
 */
export const boundedText = async (answer: Response, most: number): Promise<string | undefined> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    length += piece.length;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};
