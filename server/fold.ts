/** The most bytes of a folded key: an index row of PostgreSQL ends at 2,704. */
const KEY_BYTES = 1000;

/**
 * The form of a text by which lists order and search: NFKC, lower case, and one form of sigma. (Lower
 * case has two: the last letter of "ΣΩΣ" becomes a different one than the same letter within
 * "Σωσάννα".) It is computed here and stored, because the databases fold differently from each other
 * and from JavaScript; both then compare it byte for byte.
 */
export const fold = (text: string): string => {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
  return folded.length * 3 <= KEY_BYTES ? folded : cutToBytes(folded, KEY_BYTES);
};

/** The longest prefix of whole characters that fits. */
const cutToBytes = (text: string, bytes: number): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
};

/** A search term for folded texts. */
export interface Term {
  /** Folded. */
  readonly term: string;
  /** A LIKE pattern, escaped with backslashes, that finds the term literally and anywhere. */
  readonly pattern: string;
}

/** The term that finds exactly this text, not folded. */
export const literally = (term: string): Term => ({
  term,
  pattern: `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`,
});

/** The term of a search. */
export const termOf = (search: string): Term => literally(fold(search));
