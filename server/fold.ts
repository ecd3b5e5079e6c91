/** The most bytes of a folded key: an index row of PostgreSQL ends at 2,704. */
const KEY_BYTES = 1000;

/**
 * The form of a text by which lists order and search: compatibility-composed, lower case, one sigma
 * (what follows decides how it is written: "ΣΩΣ" ends in another one than "Σωσ" of "Σωσάννα"). It is
 * computed here and stored, because the databases fold differently from each other and from
 * JavaScript; both then compare it byte for byte.
 */
export const fold = (text: string): string => {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
  return folded.length * 3 <= KEY_BYTES ? folded : cutToBytes(folded, KEY_BYTES);
};

/** The longest beginning of whole characters that fits. */
const cutToBytes = (text: string, bytes: number): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
};

/** What is looked for in folded texts. */
export interface Term {
  /** Folded. */
  readonly term: string;
  /** A pattern for LIKE, with backslashes, that finds it literally and anywhere. */
  readonly pattern: string;
}

/** What a search looks for. */
export const termOf = (search: string): Term => {
  const term = fold(search);
  return { term, pattern: `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%` };
};
