import { fallbackLanguage } from "../../contract/kit/languages.ts";
import type { Messages } from "../../languages/messages.ts";
import { type CatalogName, hasAll } from "../../languages/read.ts";

/** The messages of a catalog, and the language that they are in. */
export interface TextsOf<Name extends CatalogName> {
  readonly language: string;
  readonly texts: Messages[Name];
}

const load = async <Name extends CatalogName>(
  wanted: string,
  name: Name,
): Promise<TextsOf<Name>> => {
  // Loaded only when there is something to say.
  const { messagesOf } = await import("../../languages/compile.ts");
  const language = hasAll(wanted, name) ? wanted : fallbackLanguage;
  return { language, texts: messagesOf(language, name) };
};

const loaded = new Map<string, Promise<TextsOf<CatalogName>>>();

/** The messages of a catalog in a language, compiled when they are first needed; English if it lacks one. */
export const textsIn = <Name extends CatalogName>(
  language: string,
  name: Name,
): Promise<TextsOf<Name>> => {
  const key = `${language} ${name}`;
  const found = loaded.get(key) ?? load(language, name);
  loaded.set(key, found);
  return found as unknown as Promise<TextsOf<Name>>;
};
