import { fallbackLanguage } from "../../contract/kit/languages.ts";
import type { Messages } from "../../languages/messages.ts";

/** Every text of the console. */
export type Texts = Messages["common"] &
  Messages["rooms"] &
  Messages["people"] &
  Messages["organization"] &
  Messages["recordings"] & { readonly errors: Messages["errors"] };

/** The language of the page. */
export let language: string = fallbackLanguage;

/** The texts of the page's language: there once `setTexts` has set them, before a page is loaded. */
export let t = {} as Texts;

/** Sets the language of the page, and its texts if it has those of the console. */
export const setTexts = (tag: string, texts?: Texts): void => {
  language = tag;
  if (texts) t = texts;
};
