import { readFileSync } from "node:fs";
import { pageLanguages } from "../contract/kit/languages.ts";

/* Reads the catalogs, without the compiler. */

/** The catalogs: a file of each language. */
export const catalogs = [
  "common",
  "rooms",
  "people",
  "organization",
  "recordings",
  "meet",
  "errors",
  "emails",
  "start",
] as const;
export type CatalogName = (typeof catalogs)[number];

/** What stands beside an English message: what translators and types need. */
export interface Remark {
  readonly description?: string;
  /** The parameters in their order. */
  readonly placeholders?: Readonly<Record<string, { readonly type: "String" | "int" | "bool" }>>;
}

/** Messages by their flat keys. */
export type Catalog = ReadonlyMap<string, string>;

const fileOf = (language: string, name: CatalogName): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(new URL(`${language}/${name}.json`, import.meta.url), "utf8"));

/** The messages of a language; throws if the file is missing. */
export const readCatalog = (language: string, name: CatalogName): Catalog =>
  new Map(
    Object.entries(fileOf(language, name)).filter(
      (entry): entry is [string, string] =>
        !entry[0].startsWith("@") && typeof entry[1] === "string",
    ),
  );

/** The remarks about the English messages, by key. */
export const readRemarks = (name: CatalogName): ReadonlyMap<string, Remark> =>
  new Map(
    Object.entries(fileOf("en", name))
      .filter(([key]) => key.startsWith("@"))
      .map(([key, remark]) => [key.slice(1), remark as Remark]),
  );

/** Returns whether a language has every message of a catalog. */
export const hasAll = (language: string, name: CatalogName): boolean => {
  try {
    const there = readCatalog(language, name);
    return [...readCatalog("en", name).keys()].every((key) => (there.get(key) ?? "") !== "");
  } catch {
    return false;
  }
};

/** The languages that have every message. */
export const completeLanguages = () =>
  pageLanguages.filter((language) => catalogs.every((name) => hasAll(language, name)));
