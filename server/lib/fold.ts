import { foldForSearch } from "../../contract/kit/folded.ts";

/** The most bytes of each half of a folded key: an index row of PostgreSQL ends at 2,704. */
const KEY_BYTES = 1000;

/**
 * Between the halves of a key. It sorts before everything that people write, so that the second half
 * changes no order.
 */
const BETWEEN = "\u0001";

/**
 * The form in which names are equal: NFKC, lower case, and one form of sigma. (Lower case has two: the
 * last letter of "ΣΩΣ" becomes a different one than the same letter within "Σωσάννα".)
 */
export const foldCase = (text: string): string =>
  cut(text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ"));

/**
 * The key by which lists order and search a text: the form by which it is ordered and, where that is
 * another one, the form in which it is found. It is computed here and stored, because the databases fold
 * differently from each other and from JavaScript; both then compare it byte for byte.
 */
export const fold = (text: string): string => {
  const [ordered, found] = [foldCase(text), cut(foldForSearch(text))];
  return ordered === found ? ordered : `${ordered}${BETWEEN}${found}`;
};

/** The longest prefix of whole characters that fits into a half of a key. */
const cut = (text: string, bytes = KEY_BYTES): string => {
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
};

/** The most bytes of a natural key, which stands in an index beside a folded one. */
const NATURAL_BYTES = 200;

/** Numbers of up to this many digits are ordered by their value. */
const DIGITS = 12;

/** The key by which people order names: as `fold`, with "All hands 2" before "All hands 10". */
export const naturalKey = (text: string): string =>
  cut(
    foldCase(text).replace(/[0-9]+/g, (digits) =>
      digits.replace(/^0+(?=[0-9])/, "").padStart(DIGITS, "0"),
    ),
    NATURAL_BYTES,
  );

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

/** The term of a search. What people leave out is looked for only if there is nothing else. */
export const termOf = (search: string): Term =>
  literally(cut(foldForSearch(search)) || foldCase(search));
