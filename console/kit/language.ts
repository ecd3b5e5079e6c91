import { loaders } from "virtual:texts";
import { directionOf, fallbackLanguage, languageFor } from "../../contract/kit/languages.ts";
import { setTexts } from "../texts/index.ts";
import { setMeetTexts } from "../texts/meet.ts";
import { base } from "./base.ts";

/*
 * The language of the page: that of the link (`?lang=`) for the visit, else the one that the person has
 * chosen, for the account or in this browser, else the first of the browser's that there is, else the
 * organization's. It is loaded before anything is drawn; another choice loads the page again.
 */

/** The languages that can be chosen: those with every message. */
export const offeredLanguages = Object.keys(loaders);

const CHOSEN = `parley-language${base}`;
/** Set if the choice that this browser remembers is that of an account. */
const OF_ACCOUNT = `parley-language-of-account${base}`;
const ORGANIZATION = `parley-language-of-organization${base}`;

/** The stored value; null where storage is blocked. */
const stored = (storage: () => Storage, key = CHOSEN): string | null => {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
};
const store = (storage: () => Storage, value: string | null, key = CHOSEN): void => {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
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

const languageHere = (): string =>
  languageFor(
    [ofLink(), stored(browser), ...navigator.languages, stored(visit, ORGANIZATION)].filter(
      (tag) => tag !== null,
    ),
    offeredLanguages,
  ) ?? fallbackLanguage;

/** Loads the page again if a change gives it another language. */
const reloadAfter = (change: () => void): void => {
  const before = languageHere();
  change();
  if (languageHere() !== before) location.reload();
};

const remember = (language: string | null, isOfAccount: boolean): void => {
  store(browser, language);
  store(browser, isOfAccount && language !== null ? "yes" : null, OF_ACCOUNT);
};

/**
 * Remembers a choice, and shows the page in that language, whatever its link has named.
 *
 * @param language null for the browser's own
 */
export const chooseLanguage = (
  language: string | null,
  { isOfAccount }: { readonly isOfAccount: boolean },
): void => {
  reloadAfter(() => {
    remember(language, isOfAccount);
    store(visit, null);
    const url = new URL(location.href);
    url.searchParams.delete("lang");
    history.replaceState(history.state, "", url);
  });
};

/**
 * Takes over the choice of the account of somebody who has signed in: the language of a link is kept for the
 * visit. An account without a choice leaves what this browser was told by hand.
 */
export const followLanguage = (language: string | null): void => {
  if (language === null && stored(browser, OF_ACCOUNT) === null) return;
  reloadAfter(() => remember(language, true));
};

/** Takes over the organization's language, for guests whose browser asks for none that there is. */
export const offerLanguage = (language: string): void =>
  reloadAfter(() => store(visit, language, ORGANIZATION));

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
