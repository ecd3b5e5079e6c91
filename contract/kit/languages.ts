/** The languages of pages and emails, by the tag of their folder in languages/. */
export const pageLanguages = [
  "en",
  "de",
  "fr",
  "es",
  "pt-BR",
  "it",
  "nl",
  "pl",
  "uk",
  "tr",
  "ja",
  "zh-CN",
  "ar",
] as const;
export type Language = (typeof pageLanguages)[number];

/** The language that somebody without a better one reads. */
export const fallbackLanguage = "en" satisfies Language;

/** The direction in which a language is written. */
export const directionOf = (language: string): "ltr" | "rtl" =>
  /^ar\b/.test(language) ? "rtl" : "ltr";

const primary = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/**
 * The first of the wanted languages that is there: the same tag, else the same language ("pt" finds
 * "pt-BR"); undefined if none is. Chinese in traditional letters is another language.
 */
export const languageFor = <L extends string>(
  wanted: readonly string[],
  offered: readonly L[],
): L | undefined => {
  for (const tag of wanted) {
    const exact = offered.find((one) => one.toLowerCase() === tag.toLowerCase());
    if (exact !== undefined) return exact;
    if (/^zh-(?:.*-)?(?:hant|tw|hk|mo)\b/i.test(tag)) continue;
    const same = offered.find((one) => primary(one) === primary(tag));
    if (same !== undefined) return same;
  }
  return undefined;
};
