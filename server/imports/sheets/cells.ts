import { trimBlanks } from "../../../contract/kit/csv.ts";
import { type Language, languageFor, pageLanguages } from "../../../contract/kit/languages.ts";
import { type Reason, reason } from "../../../contract/kit/reasons.ts";
import { ADDRESS } from "./table.ts";
import { foldWord, truthOf } from "./words.ts";

/*
 * A cell's value for a field. A text that does not fit stays, so that the field's own check refuses
 * the line and names it.
 */

/** The quotation marks that word processors put around a text. */
const QUOTED = /^["'“”„‟«‹‘‚](.*)["'“”‟»›’]$/su;

/** A text as meant: without surrounding blanks and marks, with ordinary blanks inside. */
export const tidy = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const text = trimBlanks(value).replace(/[\u00a0\u2007\u202f]/g, " ");
  return QUOTED.exec(text)?.[1]?.trim() || text;
};

/** The parts of a cell with addresses: `Ann Lee <ann@example.org>; mailto:ben@example.org`. */
const partsOf = (text: string): readonly string[] =>
  text
    .split(/[;,\r\n]/)
    .map((part) => trimBlanks(part))
    .filter((part) => part !== "");

/** The address in a part of a cell; without one, the part itself. */
const addressIn = (part: string): string => {
  const bare = part.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "");
  const inner = /<([^<>]*)>/.exec(bare)?.[1] ?? bare;
  const text = String(tidy(inner)).replace(/^mailto:\s*([^?]*).*$/is, "$1");
  // An apostrophe in front makes a spreadsheet take a value as text.
  return text.replace(/^'(.*?)'?$/s, "$1").trim();
};

/** An email address, and the name beside it. */
export interface Addressed {
  readonly email: unknown;
  readonly name?: string;
  readonly fault?: Reason;
}

/** The one address of a person. */
export const personIn = (value: unknown): Addressed => {
  if (typeof value !== "string") return { email: value };
  const parts = partsOf(
    value.replace(/"[^"]*"(?=\s*<)|^[^<@;]*(?=<)/g, (name) => name.replaceAll(",", " ")),
  );
  const [part = "", ...others] = parts;
  if (others.some((other) => ADDRESS.test(other)) && ADDRESS.test(part)) {
    return { email: value, fault: reason("line_several_emails") };
  }
  const whole = others.length === 0 ? part : value;
  const named = /^(.*\S)\s*</s.exec(value)?.[1];
  const name = named === undefined ? undefined : String(tidy(named));
  return { email: addressIn(whole), ...(name && { name }) };
};

/**
 * Owners as the interface takes them: IDs and addresses joined by commas; undefined without any.
 */
export const ownersIn = (...values: readonly unknown[]): unknown => {
  const named = values
    .flat()
    .flatMap((value) => (typeof value === "string" ? partsOf(value) : value))
    .filter((one) => typeof one === "string");
  return named.length === 0 ? undefined : [...new Set(named.map(addressIn))].join(",");
};

/** Yes or no. */
export const flagIn = (value: unknown): unknown => {
  if (value === 0 || value === 1) return value === 1;
  return typeof value === "string" ? (truthOf(value) ?? value) : value;
};

/** A whole number as spreadsheets write it: "12", "12,0", "1 000", "1.000", "1,000,000". */
export const numberIn = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const text = trimBlanks(value.normalize("NFKC")).replace(/(?<=\d)[\s'’](?=\d{3})/g, "");
  const whole = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(text)
    ? text.replace(/[.,]/g, "")
    : text.replace(/[.,]0{1,2}$/, "");
  return /^\d{1,15}$/.test(whole) ? Number(whole) : value;
};

/** The entries of a list. */
export const listIn = (value: unknown, separators = /[;\r\n]/): unknown =>
  typeof value === "string"
    ? value
        .split(separators)
        .map((part) => trimBlanks(part))
        .filter((part) => part !== "")
    : value;

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  roomType: { "one-on-one": "p2p", conference: "conferencing", group: "conferencing" },
  recordingStrategy: {
    "audio, merged": "mergedA",
    "audio and video, merged": "mergedAV",
    "audio and video, started automatically": "AmergedAV",
  },
};
const choices: readonly string[] = [
  "p2p",
  "conferencing",
  "event",
  "hls",
  "mp4",
  "mergedA",
  "mergedAV",
  "AmergedAV",
];

/** A word of the interface, by the console's words for it, in any case. */
export const choiceIn = (field: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const folded = foldWord(value);
  const label = Object.entries(words[field] ?? {}).find(([word]) => word === folded)?.[1];
  return label ?? choices.find((choice) => choice.toLowerCase() === folded) ?? value;
};

/** The languages of pages by their tags, and by their names in English and in themselves. */
const pagesByName = new Map(
  pageLanguages.flatMap((tag) =>
    ["en", tag].map((shown) => {
      const name = new Intl.DisplayNames([shown], { type: "language" }).of(
        tag.split("-")[0] ?? tag,
      );
      return [foldWord(name ?? tag), tag] as const;
    }),
  ),
);

/**
 * The language of pages that a tag or a name means, in any form that products write ("de_AT",
 * "German"); undefined if there are no pages in it.
 */
export const pageLanguageIn = (value: unknown): Language | undefined => {
  const text = String(value).trim();
  return languageFor([text.replaceAll("_", "-")], pageLanguages) ?? pagesByName.get(foldWord(text));
};

const SUSPENDED = new Set(
  "suspended deactivated deactivate disabled inactive blocked banned deleted locked archived revoked gesperrt deaktiviert inaktiv desactive suspendu suspendido inactivo sospeso disattivato 2".split(
    " ",
  ),
);
const ACTIVE = new Set(
  "active activated enabled member admin owner primaryowner user guest confirmed aktiv actif activo attivo ok 0".split(
    " ",
  ),
);

/** The meaning of an account's status: suspended or not, a program, or nothing. */
export const statusIn = (value: unknown): boolean | "bot" | undefined => {
  const word = foldWord(String(value)).replace(/[\s_-]/g, "");
  if (word === "bot" || word === "app") return "bot";
  if (SUSPENDED.has(word)) return true;
  return ACTIVE.has(word) ? false : undefined;
};
