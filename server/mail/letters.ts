import { fallbackLanguage } from "../../contract/kit/languages.ts";
import { isolated } from "../../contract/kit/plain.ts";
import type { Reason } from "../../contract/kit/reasons.ts";
import { reasonIn } from "../../languages/reason-text.ts";
import type { LetterRow } from "../db/tables.ts";
import { type TextsOf, textsIn } from "../lib/texts.ts";
import { type LetterContent, letterFacts, renderHtml, type Wording } from "./letter-html.ts";

export type { LetterContent } from "./letter-html.ts";

/** A letter in both forms. */
export interface LetterText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The sentences of one kind of letter, and its subject. */
const wordingOf = (
  texts: TextsOf<"emails">["texts"],
  kind: LetterRow["kind"],
  content: LetterContent,
): Wording & { readonly subject: string } => {
  const own = texts[kind];
  const { opening, button, closing } = own;
  const shared = { opening, button, closing };
  if (!("title" in own)) return { ...shared, title: own.subject, subject: own.subject };
  const meeting = "meeting" in content ? onOneLine(content.meeting) : "";
  return { ...shared, title: own.title, subject: own.subject(meeting) };
};

/** A moment in the time zone of the account. */
const shownMoment = (language: string, at: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(language, {
    ...({ dateStyle: "full", timeStyle: "long" } as const),
    timeZone: timeZone ?? "UTC",
  }).format(new Date(at));

/** Why nothing was accepted; the English text is that of the reason itself. */
const lastErrorIn = async (
  wanted: string,
  { lastError, lastReason }: { readonly lastError: string; readonly lastReason?: Reason },
): Promise<string> => {
  if (lastReason === undefined || wanted === fallbackLanguage) return lastError;
  const { language, texts } = await textsIn(wanted, "errors");
  return reasonIn(texts, language, lastReason) ?? lastError;
};

/** A letter's values beside its sentences, each on one line. */
const factsShown = async (content: LetterContent, { language, texts }: TextsOf<"emails">) => {
  if ("webhook" in content) {
    const lastError = await lastErrorIn(language, content);
    return { webhook: onOneLine(content.webhook), lastError: onOneLine(lastError) };
  }
  if ("meeting" in content) {
    const { meeting, when, repeats, organization } = content;
    return {
      meeting: onOneLine(meeting),
      organization: onOneLine(organization),
      when,
      repeats,
    };
  }
  if ("changed" in content) {
    const { changed, changedAt, timeZone, from, browser } = content;
    const words: Readonly<Record<string, string>> = texts.changes;
    return {
      changed: words[changed] ?? changed,
      changedAt: shownMoment(language, changedAt, timeZone ?? null),
      from,
      browser: onOneLine(browser),
    };
  }
  if ("signedInAt" in content) {
    const { signedInAt, timeZone, from, browser } = content;
    return {
      signedInAt: shownMoment(language, signedInAt, timeZone ?? null),
      from,
      browser: onOneLine(browser),
    };
  }
  return {
    username: onOneLine(content.username),
    ...("password" in content && { password: content.password }),
  };
};

/**
 * A letter's text, in its language. Values stay text: escaped in HTML, never at the beginning of a line of
 * plain text, read by no template engine.
 *
 * @throws TypeError if the login address is not an http or https URL
 */
export const writeLetter = async (
  kind: LetterRow["kind"],
  content: LetterContent,
): Promise<LetterText> => {
  const { language, texts } = await textsIn(content.language ?? fallbackLanguage, "emails");
  const wording = wordingOf(texts, kind, content);
  const shown = {
    name: onOneLine(content.name),
    loginUrl: loginAddress(content.loginUrl),
    ...(await factsShown(content, { language, texts })),
  };
  const { name, loginUrl } = shown;
  const text = [
    name === "" ? texts.greeting : texts.greetingTo(isolated(name)),
    wording.opening,
    texts.fact(wording.button, loginUrl),
    letterFacts(texts.labels, shown)
      .map(([label, value]) => texts.fact(label, value))
      .join("\n"),
    wording.closing,
  ].join("\n\n");
  const html = renderHtml({ language, texts }, wording, shown);
  return { subject: wording.subject, text: `${text}\n`, html };
};

/** As the URL parser writes it, so that the reader's program sees the same address. */
const loginAddress = (text: string): string => {
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError("A login address is http or https.");
  return url.href;
};

/** Replaces line breaks, control characters and marks of the writing direction with spaces. */
const onOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ").trim();
