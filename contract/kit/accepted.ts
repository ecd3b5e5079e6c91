import { whole } from "./fields.ts";
import { wholeNumberWords } from "./reason-phrases.ts";

/*
 * Values that are read from texts: environment variables and options of the command line. Their check and
 * the words of help and errors are made from the same numbers, as the schemas in fields.ts do it for the
 * interface.
 */

/** The form of an accepted text, and the value that it stands for. */
export interface AcceptedText<T> {
  /** In words, as they follow "accepted: ". */
  readonly accepted: string;
  /** Returns undefined for a text that is not accepted. */
  readonly parse: (text: string) => T | undefined;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** A whole number in digits. @param unit what it counts, such as days */
export const wholeNumber = ({
  from,
  to,
  unit,
}: Bounds & { readonly unit?: string }): AcceptedText<number> => {
  const schema = whole(from, to);
  const digits = String(to).length;
  return {
    accepted: wholeNumberWords({ min: from, max: to, unit }),
    parse: (text) =>
      /^\d+$/.test(text) && text.length <= digits ? schema.safeParse(Number(text)).data : undefined,
  };
};

/** A number of seconds, with decimals if need be. @param isAbove whether `from` itself is not accepted */
export const seconds = ({
  from,
  to,
  isAbove = false,
}: Bounds & { readonly isAbove?: boolean }): AcceptedText<number> => ({
  accepted: `a number of seconds ${isAbove ? `above ${from}, at most` : `from ${from} to`} ${to}`,
  parse: (text) => {
    const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to && !(isAbove && value === from) ? value : undefined;
  },
});

/**
 * A text of certain characters.
 *
 * @param of the characters in words
 * @param each matches one of them
 */
export const characters = ({
  from,
  to,
  of = "characters",
  each = /[\s\S]/u,
}: Bounds & { readonly of?: string; readonly each?: RegExp }): AcceptedText<string> => ({
  accepted: `${from === to ? from : `${from} to ${to}`} ${of}`,
  parse: (text) => {
    // As a person counts them.
    const all = [...text];
    const isLong = all.length >= from && all.length <= to;
    return isLong && all.every((one) => each.test(one)) ? text : undefined;
  },
});

/** A text for headers of HTTP: keys and secrets. */
export const printableCharacters = (bounds: Bounds): AcceptedText<string> =>
  characters({ ...bounds, of: "printable ASCII characters without spaces", each: /[!-~]/ });

/** One of these words. */
export const oneOf = <const W extends string>(words: readonly W[]): AcceptedText<W> => ({
  accepted: words.length === 2 ? words.join(" or ") : `one of ${words.join(", ")}`,
  parse: (text) => words.find((word) => word === text),
});

/** A single word that stands for a value. */
export const word = <const T>(text: string, value: T): AcceptedText<T> => ({
  accepted: text,
  parse: (given) => (given === text ? value : undefined),
});

/** Either of two; the first one in words comes first. */
export const either = <A, B>(
  first: AcceptedText<A>,
  second: AcceptedText<B>,
): AcceptedText<A | B> => ({
  accepted: `${first.accepted}, or ${second.accepted}`,
  parse: (text) => {
    const value = first.parse(text);
    return value === undefined ? second.parse(text) : value;
  },
});

/** The same texts, for another value. */
export const converted = <A, B>(
  { accepted, parse }: AcceptedText<A>,
  to: (value: A) => B,
): AcceptedText<B> => ({
  accepted,
  parse: (text) => {
    const value = parse(text);
    return value === undefined ? undefined : to(value);
  },
});
