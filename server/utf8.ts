/** A text, or its bytes in UTF-8: what is only handed on need not be decoded before. */
export type Utf8 = string | Uint8Array;

/** Several texts as one. */
export const concatenated = (...texts: readonly Utf8[]): Utf8 =>
  texts.every((text) => typeof text === "string")
    ? texts.join("")
    : Buffer.concat(texts.map((text) => (typeof text === "string" ? Buffer.from(text) : text)));

/** Where a UTF-16 code unit stands among others by code points: halves of a pair come last. */
const placeOf = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;

/** As both databases compare texts, byte by byte: negative where `a` comes first, 0 where equal. */
export const compareUtf8 = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return placeOf(one) - placeOf(other);
  }
  return a.length - b.length;
};
