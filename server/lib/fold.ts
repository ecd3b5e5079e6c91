import { foldForSearch } from "../../contract/kit/folded.ts";

/** The most bytes of each half of a folded key; PostgreSQL's index rows end at 2,704. */
const KEY_BYTES = 1000;

/**
 * Separates the halves of a key. It sorts before everything that people write, so the second half
 * does not affect the order.
 */
const BETWEEN = "\u0001";

/**
 * Names are equal in this form: NFKC, lower case, one form of sigma. (Lower case has two: the last
 * letter of "ΣΩΣ" differs from the same letter within "Σωσάννα".)
 */
export const foldCase = (text: string): string =>
  cut(text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ"));

/**
 * The key by which lists order and search: the form for ordering and, if it differs, the form for
 * searching. It is computed here and stored, because the databases and JavaScript fold differently;
 * the databases compare it byte for byte.
 */
export const fold = (text: string): string => {
  const [ordered, found] = [foldCase(text), cut(foldForSearch(text))];
  return ordered === found ? ordered : `${ordered}${BETWEEN}${found}`;
};

/** The longest prefix of whole characters that fits into half a key. */
const cut = (text: string, bytes = KEY_BYTES): string => {
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
};

/** The most bytes of a natural key, which shares an index with a folded one. */
const NATURAL_BYTES = 200;

/** Numbers of up to this many digits are ordered by value. */
const DIGITS = 12;

/** The key of natural order: as `fold`, with "All hands 2" before "All hands 10". */
export const naturalKey = (text: string): string =>
  cut(
    foldCase(text).replace(/[0-9]+/g, (digits) =>
      digits.replace(/^0+(?=[0-9])/, "").padStart(DIGITS, "0"),
    ),
    NATURAL_BYTES,
  );

/** A search term for folded texts. */
export interface Term {
  readonly term: string;
  /** A LIKE pattern, escaped with backslashes, that finds the term literally, anywhere. */
  readonly pattern: string;
}

/** The term that finds exactly this text, unfolded. */
export const literally = (term: string): Term => ({
  term,
  pattern: `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`,
});

/** The term of a search. Characters that people leave out count only if there is nothing else. */
export const termOf = (search: string): Term =>
  literally(cut(foldForSearch(search)) || foldCase(search));
