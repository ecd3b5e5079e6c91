/**
 * The text of a response of bounded size.
 *
 * @param most in bytes
 * @returns undefined if it is longer; the rest is not read
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
