import { loaders } from "virtual:texts";
import { directionOf, fallbackLanguage, languageFor } from "../../contract/kit/languages.ts";
import { setTexts } from "../texts/index.ts";
import { setMeetTexts } from "../texts/meet.ts";
import { base } from "./base.ts";

/*
 * The language of the page: that of the link (`?lang=`) for the visit, else the one that the person has
 * chosen, else the first of the browser's that there is. It is loaded before anything is drawn; another
 * choice loads the page again.
 */

/** The languages that can be chosen: those with every message. */
export const offeredLanguages = Object.keys(loaders);

const CHOSEN = `parley-language${base}`;

/** What storage has; null where it is blocked. */
const stored = (storage: () => Storage): string | null => {
  try {
    return storage().getItem(CHOSEN);
  } catch {
    return null;
  }
};
const store = (storage: () => Storage, language: string | null): void => {
  try {
    if (language === null) storage().removeItem(CHOSEN);
    else storage().setItem(CHOSEN, language);
  } catch {
    // Storage is blocked: the choice ends with the page.
  }
};
const visit = () => sessionStorage;
const browser = () => localStorage;

/** The language that the link names, for this tab. */
const ofLink = (): string | null => {
  const named = new URLSearchParams(location.search).get("lang");
  const known = named === null ? undefined : languageFor([named], offeredLanguages);
  if (known !== undefined) store(visit, known);
  return known ?? stored(visit);
};

/** The language that the browser asks for. */
export const browserLanguage = (): string =>
  languageFor(navigator.languages, offeredLanguages) ?? fallbackLanguage;

/** The language that this browser remembers as chosen; null for the browser's own. */
export const chosenLanguage = (): string | null => stored(browser);

const languageHere = (): string =>
  languageFor(
    [ofLink(), chosenLanguage()].filter((tag) => tag !== null),
    offeredLanguages,
  ) ?? browserLanguage();

/**
 * Remembers a choice, and shows the page in that language.
 *
 * @param language null for the browser's own
 */
export const chooseLanguage = (language: string | null): void => {
  const before = languageHere();
  store(browser, language);
  store(visit, null);
  const url = new URL(location.href);
  url.searchParams.delete("lang");
  if (languageHere() === before && url.href === location.href) return;
  history.replaceState(history.state, "", url);
  location.reload();
};

/** Takes over the choice of an account: the language of a link is kept for the visit. */
export const followLanguage = (language: string | null): void => {
  if (language === null || language === chosenLanguage()) return;
  const before = languageHere();
  store(browser, language);
  if (languageHere() !== before) location.reload();
};

/** The name of a language in itself. */
export const nameOfLanguage = (tag: string): string => {
  const shown = tag === "zh-CN" ? "zh-Hans" : tag;
  const name = new Intl.DisplayNames([shown], { type: "language" }).of(shown) ?? tag;
  return name.charAt(0).toLocaleUpperCase(shown) + name.slice(1);
};

/** Loads the texts of a page in its language. */
export const loadTexts = async (...parts: readonly ("console" | "meet")[]): Promise<void> => {
  const language = languageHere();
  const { lang, dir } = { lang: language, dir: directionOf(language) };
  Object.assign(document.documentElement, { lang, dir });
  const loader = loaders[language];
  if (loader === undefined) throw new Error(`no texts in ${language}`);
  const [texts, meetTexts] = await Promise.all([
    parts.includes("console") ? loader.console() : undefined,
    parts.includes("meet") ? loader.meet() : undefined,
  ]);
  setTexts(language, texts?.messages);
  if (meetTexts) setMeetTexts(meetTexts.messages);
};
