import { en } from "./en/index.ts";
import { isolating } from "./isolated.ts";

/** Every text of the console; another language is an object of this type. */
export type Texts = typeof en;

const languages: Readonly<Record<string, Texts>> = { en };

const spoken = navigator.languages
  .map((tag) => tag.split("-")[0] ?? "")
  .find((tag) => tag in languages);

/** The language of the texts and of numbers. */
export const language = spoken ?? "en";

export const t: Texts = isolating(languages[language] ?? en);
