import { speechLanguages } from "../../contract/kit/speech-languages.ts";
import { language } from "../texts/index.ts";
import { showLanguage } from "./show.ts";

/** The languages of speech to choose from, by their names in the page's language. */
export const speechChoices = speechLanguages
  .map((value) => ({ value, label: showLanguage(value) }))
  .toSorted((one, other) => one.label.localeCompare(other.label, language));
