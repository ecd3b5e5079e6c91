/** A text, or its bytes in UTF-8: what is only handed on need not be decoded before. */
export type Utf8 = string | Uint8Array;

/** Several texts as one. */
export const concatenated = (...texts: readonly Utf8[]): Utf8 =>
  texts.every((text) => typeof text === "string")
    ? texts.join("")
    : Buffer.concat(texts.map((text) => (typeof text === "string" ? Buffer.from(text) : text)));
