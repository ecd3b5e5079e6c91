// Runs: always

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse, type SelectCase, type Token } from "@messageformat/parser";
import { reasonTable } from "../../contract/docs/reason-examples.ts";
import { languageFor, pageLanguages } from "../../contract/kit/languages.ts";
import { texts } from "../../contract/kit/texts.ts";
import { typesSource } from "../../languages/compile.ts";
import {
  type CatalogName,
  catalogs,
  completeLanguages,
  readCatalog,
  readRemarks,
} from "../../languages/read.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const there = pageLanguages.filter((language) => existsSync(`${root}/languages/${language}`));

/** Categories that only numbers from a million on have: a language may do without them. */
const RARE: Readonly<Record<string, string>> = {
  es: "many",
  fr: "many",
  it: "many",
  "pt-BR": "many",
};

/** Every argument of a message, in its branches too. */
const argumentsIn = (
  tokens: readonly Token[],
): readonly Exclude<Token, { type: "content" | "octothorpe" }>[] =>
  tokens.flatMap((token) => {
    if (token.type === "content" || token.type === "octothorpe") return [];
    const cases = "cases" in token ? token.cases.flatMap((one) => argumentsIn(one.tokens)) : [];
    return [token, ...cases];
  });

/** Returns whether a plural that shows or follows its number says nothing for one of its categories. */
const lacks = (language: string, cases: readonly SelectCase[], category: string): boolean => {
  const keys = cases.map(({ key }) => key);
  const follows =
    cases.some(({ tokens }) => tokens.some(({ type }) => type === "octothorpe")) ||
    keys.some((key) => key !== "other" && !key.startsWith("="));
  const rules = new Intl.PluralRules(language);
  const numbers = Array.from({ length: 200 }, (_, at) => at).filter(
    (number) => rules.select(number) === category,
  );
  const isCovered = numbers.length > 0 && numbers.every((number) => keys.includes(`=${number}`));
  return follows && !keys.includes(category) && category !== RARE[language] && !isCovered;
};

/** The faults of a message, compared with the English one. */
const faultsOf = (
  language: string,
  message: string,
  wanted: readonly string[],
): readonly string[] => {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  let found: ReturnType<typeof argumentsIn>;
  try {
    found = argumentsIn(parse(message, { cardinal: categories, strictPluralKeys: true }));
  } catch (failure) {
    return [String(failure).split("\n")[0] ?? ""];
  }
  const names = [...new Set(found.map(({ arg }) => arg))].sort();
  const plurals = found.flatMap((one) =>
    one.type === "plural"
      ? categories.filter((category) => lacks(language, one.cases, category))
      : [],
  );
  return [
    ...(names.join() === wanted.join() ? [] : [`takes ${names.join()}, not ${wanted.join()}`]),
    ...plurals.map((category) => `has a plural without ${category}`),
    ...(message === message.trim() && message !== "" ? [] : ["is empty, or has blanks around it"]),
    ...(language !== "en" && message.includes("'{") ? ["quotes a brace: write ’"] : []),
  ];
};

const catalogFaults = (language: string, name: CatalogName): readonly string[] => {
  if (!existsSync(`${root}/languages/${language}/${name}.json`)) return [`${name}.json is missing`];
  const [own, english, remarks] = [
    readCatalog(language, name),
    readCatalog("en", name),
    readRemarks(name),
  ];
  return [
    ...[...own.keys()].filter((key) => !english.has(key)).map((key) => `${key} is unknown`),
    ...[...own].flatMap(([key, message]) =>
      english.has(key)
        ? faultsOf(language, message, Object.keys(remarks.get(key)?.placeholders ?? {}).sort()).map(
            (fault) => `${key} ${fault}`,
          )
        : [],
    ),
  ].map((fault) => `${name}: ${fault}`);
};

for (const language of there) {
  test(`P-LANG-1: ${language} has the parameters of English in every message, and its own plurals`, () => {
    assert.deepEqual(
      catalogs.flatMap((name) => catalogFaults(language, name)),
      [],
    );
    assert.ok(existsSync(`${root}/languages/${language}/glossary.md`));
  });
}

test("P-LANG-1: each code of a reason has a message, which takes values of the code only", () => {
  const english = readCatalog("en", "errors");
  const remarks = readRemarks("errors");
  const groups = ["failures", "fields", "files", "sentences"];
  for (const { code, values } of reasonTable) {
    const own = groups.map((group) => `${group}.${code}`);
    const keys = [...english.keys()].filter((key) =>
      own.some((one) => key === one || key.startsWith(`${one}.`)),
    );
    assert.ok(keys.length > 0, code);
    // The page gives the name of the sheet beside the choice whether there is one.
    const added = code === "file_without_sheet" ? ["sheet"] : [];
    const known = ["field", ...values.map(({ name }) => name), ...added];
    for (const key of keys) {
      for (const name of Object.keys(remarks.get(key)?.placeholders ?? {})) {
        assert.ok(known.includes(name), `${key}: ${name}`);
      }
    }
  }
});

test("P-LANG-1: the English message of each failure is its text, and every language has its numbers", () => {
  const numbersIn = (text = ""): readonly string[] => text.match(/\d+/g) ?? [];
  for (const language of completeLanguages()) {
    const messages = readCatalog(language, "errors");
    for (const [code, { text }] of Object.entries(texts)) {
      const message = messages.get(`failures.${code}`);
      if (language === "en") assert.equal(message, text, code);
      const own = numbersIn(message);
      const missing = numbersIn(text).filter((number) => !own.includes(number));
      assert.deepEqual(missing, [], `${language}: ${code}`);
    }
  }
});

test("P-LANG-1: a language that lacks a message is not offered", () => {
  const isWhole = (language: string) =>
    catalogs.every((name) => {
      const own = readCatalog(language, name);
      return [...readCatalog("en", name).keys()].every((key) => own.has(key));
    });
  assert.deepEqual(completeLanguages(), there.filter(isWhole));
  assert.ok(completeLanguages().includes("en"));
});

test("P-LANG-1: a missing plural, another parameter and a broken message are found", () => {
  assert.deepEqual(faultsOf("pl", "{n, plural, one {#} few {#} many {#} other {#}}", ["n"]), []);
  assert.deepEqual(faultsOf("pl", "{n, plural, one {#} other {#}}", ["n"]), [
    "has a plural without few",
    "has a plural without many",
  ]);
  assert.deepEqual(faultsOf("de", "{m}", ["n"]), ["takes m, not n"]);
  assert.equal(faultsOf("ja", "{n, plural, one {#} other {#}}", ["n"]).length, 1);
  assert.equal(faultsOf("de", "{n", ["n"]).length, 1);
});

test("the types of the messages are those of the English catalogs", () => {
  assert.equal(
    readFileSync(`${root}/languages/messages.ts`, "utf8"),
    typesSource(),
    "npm run languages writes them",
  );
});

const NAME = /(?<![\w.$"'])([A-Za-z_]\w*)((?:\??\.[A-Za-z_]\w*|\["[^"]+"\])*)/g;
/** A name of a module's own for a part of the messages, or several. */
const DECLARED = /\bconst (?:(\w+)|\{([^}]*)\})(?:: [^=;]+)? = (?=[A-Za-z_])/g;

const partsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\.([A-Za-z_]\w*)|\["([^"]+)"\]/g)].map(
    ([, plain, quoted]) => plain ?? quoted ?? "",
  );

/** The paths of messages that a module names, through names of its own too. */
const pathsIn = (source: string): readonly string[] => {
  const aliases = new Map([
    ["t", "t"],
    ["m", "m"],
  ]);
  const declarations = new Set<number>();
  for (const { index, 0: declared, 1: name, 2: names } of source.matchAll(DECLARED)) {
    const at = index + declared.length;
    const [found, first = "", path = ""] = new RegExp(NAME.source).exec(source.slice(at)) ?? [];
    const whole = aliases.get(first);
    // A member that is indexed or called is used here.
    const after = source.slice(at + (found?.length ?? 0)).trimStart();
    if (whole === undefined || !/^[;,]/.test(after)) continue;
    for (let part = index; part <= at; part += 1) declarations.add(part);
    const to = [whole, ...partsOf(path)].join(".");
    if (name !== undefined) aliases.set(name, to);
    for (const one of names?.split(",") ?? []) {
      const [from = "", as = from] = one.trim().split(/\s*:\s*/);
      if (/^\w+$/.test(from)) aliases.set(as, `${to}.${from}`);
    }
  }
  return [...source.matchAll(NAME)].flatMap(({ index, 1: first = "", 2: path = "" }) => {
    const whole = aliases.get(first);
    return whole === undefined || declarations.has(index)
      ? []
      : [[whole, ...partsOf(path)].join(".")];
  });
};

/** The messages of a page that no module names, alone or as a part that it hands on. */
const unusedOf = (root: "t" | "m", keys: readonly string[], named: ReadonlySet<string>) => {
  const all = [...named];
  return keys.filter((key) => {
    const parts = [root, ...key.split(".")];
    const above = parts.map((_, at) => parts.slice(0, at + 1).join(".")).slice(1);
    const whole = above.at(-1) ?? "";
    return (
      !above.some((part) => named.has(part)) && !all.some((one) => one.startsWith(`${whole}.`))
    );
  });
};

test("P-LANG-1: every message of the pages is used, and one that is not is found", () => {
  const sources = globSync("console/**/*.{ts,tsx}", { cwd: root, exclude: ["console/dist/**"] });
  const named = new Set(
    sources.flatMap((file) => pathsIn(readFileSync(`${root}/${file}`, "utf8"))),
  );
  const keysOf = (name: CatalogName) => [...readCatalog("en", name).keys()];
  const pages = ["common", "rooms", "people", "organization", "recordings"] as const;
  assert.deepEqual(unusedOf("t", pages.flatMap(keysOf), named), []);
  assert.deepEqual(unusedOf("m", keysOf("meet"), named), []);
  const some = 'const texts = t.a; const { b } = texts; say(b.c, texts.d["e-f"], t.g[kind]);';
  const keys = ["a.b.c", "a.b.x", "a.d.e-f", "a.d.y", "g.one", "a.z"];
  assert.deepEqual(unusedOf("t", keys, new Set(pathsIn(some))), ["a.b.x", "a.d.y", "a.z"]);
});

test("a wanted language finds the same one, then one of another country, and Traditional Chinese none", () => {
  const offered = ["en", "pt-BR", "zh-CN", "de"] as const;
  assert.equal(languageFor(["fr", "pt-PT", "en"], offered), "pt-BR");
  assert.equal(languageFor(["de-CH"], offered), "de");
  assert.equal(languageFor(["zh-TW", "zh-Hant-HK"], offered), undefined);
  assert.equal(languageFor(["zh-Hans-SG"], offered), "zh-CN");
  assert.equal(languageFor(["xx", "C"], offered), undefined);
});
