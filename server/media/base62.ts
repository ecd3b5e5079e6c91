const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Bytes as letters and digits, as github.com/jxskiss/base62 v1.1.0 writes them: six bits at a time from
 * the end, and five where six bits could be a number beyond the alphabet.
 */
export const base62 = (bytes: Uint8Array): string => {
  let left = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let bits = bytes.length * 8;
  let text = "";
  while (bits > 0) {
    const six = Number(left & 63n);
    // 30 and 62, 31 and 63 differ in the sixth bit only: it is left for the next letter.
    const isLarge = (six & 30) === 30;
    text += LETTERS[isLarge ? six & 31 : six];
    const size = isLarge && (bits > 6 || six > 31) ? 5 : 6;
    left >>= BigInt(size);
    bits -= size;
  }
  return text;
};
