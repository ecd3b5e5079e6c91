/** The part of an answer that was read. */
export interface ReadPart {
  /** Its first bytes. */
  readonly bytes: Buffer;
  /** True if it ends there. */
  readonly isWhole: boolean;
  /** Why it broke off; undefined where it did not. */
  readonly broken?: unknown;
}

/**
 * Reads an answer of any length and stops after some bytes; the rest is not read.
 *
 * @param most how many bytes are read
 * @param kept how many of them are kept
 */
export const readAtMost = async (
  answer: AsyncIterable<Uint8Array>,
  most: number,
  kept: number = most,
): Promise<ReadPart> => {
  const pieces: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const piece of answer) {
      if (read < kept) pieces.push(piece.subarray(0, kept - read));
      read += piece.length;
      if (read > most) return { bytes: Buffer.concat(pieces), isWhole: false };
    }
  } catch (broken) {
    return { bytes: Buffer.concat(pieces), isWhole: false, broken };
  }
  return { bytes: Buffer.concat(pieces), isWhole: read <= kept };
};

/**
 * The text of a response of bounded size.
 *
 * @param most in bytes
 * @returns undefined if it is longer; the rest is not read
 */
export const boundedText = async (answer: Response, most: number): Promise<string | undefined> => {
  if (answer.body === null) return "";
  const { bytes, isWhole, broken } = await readAtMost(answer.body, most);
  if (broken !== undefined) throw broken;
  return isWhole ? new TextDecoder().decode(bytes) : undefined;
};
