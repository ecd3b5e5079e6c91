import { asLine } from "../kit/plain.ts";
import type { Spoken } from "./transcripts.ts";

/* Transcripts as files. Pages import this too, so it knows no schemas. */

const two = (value: number): string => String(value).padStart(2, "0");

/** Hours, minutes, seconds and thousandths (W3C WebVTT, 4.2). */
const vttTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two);
  return `${clock.join(":")}.${String(ms % 1000).padStart(3, "0")}`;
};

/** On one line, so that nothing in it begins a line of its own. */
const oneLine = (text: string): string => asLine(text).replace(/\s+/g, " ");

/** Text for a WebVTT cue: without markup or empty lines. */
const vttText = (text: string): string =>
  oneLine(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The languages of captions, the commonest first. */
export const spokenLanguages = (all: readonly Pick<Spoken, "language">[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { language } of all) {
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([language]) => language);
};

/** The language in the header of captions that `webVttOf` has made. */
export const languageOfVtt = (vtt = ""): string | undefined =>
  /^WEBVTT\nLanguage: (\S+)\n/.exec(vtt)?.[1];

interface Line extends Pick<Spoken, "peerName" | "text" | "language"> {
  readonly from: number;
  readonly to: number;
}

/** The captions between two moments, with milliseconds from the first moment. */
const linesFrom = (all: readonly Spoken[], zero: string, end?: string): readonly Line[] =>
  all.flatMap(({ startedAt, endedAt, ...said }) => {
    if (end !== undefined && Date.parse(startedAt) >= Date.parse(end)) return [];
    const [from, to] = [
      Date.parse(startedAt) - Date.parse(zero),
      Date.parse(endedAt) - Date.parse(zero),
    ];
    return to <= 0 ? [] : [{ ...said, from: Math.max(0, from), to }];
  });

/**
 * WebVTT with the speakers' names (W3C WebVTT, voice spans). The header has the commonest language;
 * captions in others name theirs (language spans).
 */
export const webVttOf = (all: readonly Spoken[], zero: string, end?: string): string => {
  const lines = linesFrom(all, zero, end);
  const [usual] = spokenLanguages(lines);
  return [
    usual === undefined ? "WEBVTT" : `WEBVTT\nLanguage: ${usual}`,
    ...lines.map(({ from, to, peerName, text, language = usual }) => {
      const speaker = vttText(peerName);
      const voice = speaker === "" ? "" : `<v ${speaker}>`;
      const words = vttText(text);
      const said = language === usual ? words : `<lang ${language}>${words}</lang>`;
      return `${vttTime(from)} --> ${vttTime(to)}\n${voice}${said}`;
    }),
  ]
    .join("\n\n")
    .concat("\n");
};

/** One line per caption, with its time and its speaker. */
export const plainOf = (all: readonly Spoken[], zero: string, end?: string): string =>
  linesFrom(all, zero, end)
    .map(({ from, peerName, text }) => {
      const [clock] = vttTime(from).split(".");
      const speaker = oneLine(peerName);
      return `[${clock}] ${speaker === "" ? "" : `${speaker}: `}${oneLine(text)}\n`;
    })
    .join("");
