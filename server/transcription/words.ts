import { stripVTControlCharacters } from "node:util";
import { type SpeechLanguage, speechLanguages } from "../../contract/kit/speech-languages.ts";

/*
 * Removes what is not words from a speech engine's answers. Programs print progress and log lines,
 * models write remarks in silence, and whatever breaks in between answers with a page or an error.
 */

/** The most characters of a piece of speech. */
export const LONGEST_TEXT = 10_000;

const MOMENT = String.raw`(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}`;
/**
 * The times of a piece, as in captions: `00:00:00.000 --> 00:00:02.000`, with or without brackets.
 */
const TIMES = String.raw`\[?${MOMENT} +--> +${MOMENT}\]?(?: +(?:align|line|position|size|vertical):\S+)*`;
const timesFirst = new RegExp(`^${TIMES}`);
/** The number of a caption, in the line before its times. */
const numbers = new RegExp(String.raw`^\d+\n(?=${TIMES})`, "gm");

/** The words of a piece of speech. */
export interface Recognized {
  /** Empty if nothing was said. */
  readonly text: string;
  /** The language that the engine reports (BCP 47); undefined if it reports none. */
  readonly language?: SpeechLanguage | undefined;
}

const names = new Intl.DisplayNames(["en"], { type: "language" });
/** Whisper reports languages by their English names, others by tags. */
const byName = new Map(
  speechLanguages.flatMap((tag) => [
    [tag as string, tag] as const,
    [(names.of(tag) ?? tag).toLowerCase(), tag] as const,
  ]),
);

/** The language of an engine's JSON answer; undefined if it has none that is known. */
export const reportedLanguage = (answer: unknown): SpeechLanguage | undefined => {
  if (typeof answer !== "object" || answer === null || !("language" in answer)) return undefined;
  const given = String(answer.language).toLowerCase();
  return byName.get(given) ?? byName.get(given.split(/[-_]/)[0] ?? "");
};

const LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|LOG";
/** Lines in which a program reports about itself. */
const beside: readonly RegExp[] = [
  /^WEBVTT\b/,
  // The name of a function: "whisper_init_from_file: loading model".
  /^(?:main|[a-z][a-z\d]*(?:_[a-z\d]+)+)\s*: /,
  new RegExp(String.raw`^(?:${LEVELS})\s*[:(|-]`),
  new RegExp(String.raw`^\[\s*(?:${LEVELS})\s*\]`, "i"),
  // The time of a log entry.
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/,
  /^\S+: \w*Warning: /,
  /^Detect(?:ing|ed) language(?: using|:| ')/,
  // A progress bar: "50%|##### | 1/2".
  /\d{1,3}%\s*\|/,
  /^progress\s*[=:]/i,
];

/** Remarks of models in silence: [BLANK_AUDIO], (music), *coughs*, <unk>, ++NOISE++. */
const remarks: readonly RegExp[] = [
  /<\|[^<>]*\|>|<\/?[\p{L}_][^<>\s]{0,30}>|\+\+\w+\+\+/gu,
  /\[[^[\]]*\]|【[^【】]*】|（[^（）]*）/gu,
  // With a space around them: f(x) is said.
  /(?<=^|\s)(?:\([^()]*\)|\*+[^*]+\*+)(?=$|[\s.,;:!?])/gu,
  /[♩♪♫♬]/gu,
];

/** Invisible characters; joiners stay, which many scripts need. */
const unseen = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}]--[\u200c\u200d\n\t]]/gv;
/** Bytes that are no characters, and characters that no text has. */
const noText = /[[\p{Cc}\ufffd]--[\n\t]]/gv;
/** One of these may end a text; a higher share makes it no text. */
const NO_TEXT_SHARE = 10;

const page = /^<(?:!doctype|html|head|body|\?xml)\b/i;

const parse = (given: string): unknown => {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
};

/** The text of a JSON answer such as {"text": "hello"}; undefined if it has none. */
const textIn = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  if ("text" in value && typeof value.text === "string") return value.text;
  // The marks that an engine prints before its words.
  return "partial" in value ? "" : undefined;
};

/** A line's words; undefined if it is no text. */
const wordsOfLine = (line: string): string | undefined => {
  const trimmed = line.trim();
  if (beside.some((one) => one.test(trimmed))) return "";
  if (/^\{\s*(?:"|$)|^\}/.test(trimmed)) return textIn(parse(trimmed));
  return trimmed.replace(timesFirst, "");
};

/**
 * The words in a speech engine's answer or output; empty if nothing was said.
 *
 * @returns undefined if it is no text: a page, an error, bytes
 */
export const wordsOf = (given: string): string | undefined => {
  const plain = stripVTControlCharacters(given).replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n");
  const strange = plain.match(noText)?.length ?? 0;
  if (strange > 1 + plain.length / NO_TEXT_SHARE) return undefined;
  const text = plain.replace(unseen, "").replaceAll("\ufffd", "").trim();
  if (page.test(text)) return undefined;
  const value = /^[[{]/.test(text) ? parse(text) : undefined;
  const whole = value === undefined ? text : textIn(value);
  const lines = whole?.replace(numbers, "").split("\n").map(wordsOfLine);
  if (lines === undefined || lines.includes(undefined)) return undefined;
  const said = remarks
    .reduce((words, remark) => words.replace(remark, " "), lines.join(" "))
    .replace(/\s+/g, " ")
    .replace(/^\s*:/, "")
    .trim();
  return /[\p{L}\p{N}]/u.test(said) ? said.slice(0, LONGEST_TEXT).toWellFormed() : "";
};
