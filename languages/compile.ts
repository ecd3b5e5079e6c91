import core from "@messageformat/core";
import coreModule from "@messageformat/core/lib/compile-module.js";
import type { Messages } from "./messages.ts";
import { type CatalogName, catalogs, type Remark, readCatalog, readRemarks } from "./read.ts";

/*
 * Makes functions of the messages of the catalogs: as the source of a module for pages, whose
 * policy forbids to evaluate anything, and in memory for the service.
 */

// The types of these CommonJS modules describe a default export that Node does not add.
const MessageFormat = core as unknown as new (
  language: string,
) => { compile(message: string): (values: object) => string };
const compileModule = coreModule as unknown as (
  formatter: InstanceType<typeof MessageFormat>,
  messages: Readonly<Record<string, string>>,
) => string;

/** Returns whether the messages of a catalog take one object: a reason has its values by name. */
const isByName = (name: CatalogName): boolean => name === "errors";

/** The plural rules and numbers of a language; Arabic numbers have the digits of fields and codes. */
const formatterOf = (language: string) => new MessageFormat(language);

interface Nested<Value> {
  [name: string]: Value | Nested<Value>;
}

/** Values by flat keys as nested objects. */
const nested = <Value>(entries: Iterable<readonly [string, Value]>): Nested<Value> => {
  const made: Nested<Value> = {};
  for (const [key, value] of entries) {
    const path = key.split(".");
    const last = path.pop() ?? "";
    let at = made;
    for (const name of path) {
      at[name] ??= {};
      at = at[name] as Nested<Value>;
    }
    at[last] = value;
  }
  return made;
};

type Parameters = readonly (readonly [name: string, isText: boolean])[];

/** The parameters of a message in their order; none for a message that is only text. */
const parametersOf = (remark: Remark | undefined): Parameters =>
  Object.entries(remark?.placeholders ?? {}).map(([name, { type }]) => [name, type === "String"]);

const CHOSEN = /\{\s*(\w+)\s*,\s*select/g;
/** The parameters by which a message chooses: these are words of the code. */
const chosenIn = (message: string): ReadonlySet<string> =>
  new Set([...message.matchAll(CHOSEN)].map(([, name = ""]) => name));

const objectSource = (made: Nested<string>): string =>
  `{${Object.entries(made)
    .map(
      ([name, value]) =>
        `${JSON.stringify(name)}:${typeof value === "string" ? value : objectSource(value)}`,
    )
    .join(",")}}`;

/**
 * The source of a module whose export `messages` has the messages of some catalogs: texts, and
 * functions of what messages take, which isolate texts (`isolated`).
 *
 * @param isolating the path of the module with `isolated`
 * @param change changes each message before it is compiled
 */
export const moduleOf = (
  language: string,
  names: readonly CatalogName[],
  isolating: string,
  change: (message: string) => string = (message) => message,
): string => {
  const formatter = formatterOf(language);
  const functions: Record<string, string> = {};
  const entries = names.flatMap((name) => {
    const remarks = readRemarks(name);
    return [...readCatalog(language, name)].map(([own, text]): readonly [string, string] => {
      // Only the errors have a name of their own among the others.
      const key = name === "errors" ? `errors.${own}` : own;
      const message = change(text);
      const parameters = parametersOf(remarks.get(own));
      if (parameters.length === 0) return [key, JSON.stringify(formatter.compile(message)({}))];
      const id = `m${Object.keys(functions).length}`;
      functions[id] = message;
      const chosen = chosenIn(message);
      const given = parameters.map(
        ([one, isText]) => `${one}:${isText && !chosen.has(one) ? `isolated(${one})` : one}`,
      );
      const list = parameters.map(([one]) => one).join(",");
      const taken = isByName(name) ? `{${list}}` : list;
      return [key, `(${taken})=>compiled.${id}({${given.join(",")}})`];
    });
  });
  const compiled = compileModule(formatter, functions).replace(
    "export default",
    "const compiled =",
  );
  return `${compiled};
import { isolated } from ${JSON.stringify(isolating)};
export const messages = ${objectSource(nested(entries))};
`;
};

/**
 * The messages of a catalog in memory.
 *
 * @param shown what becomes of each text that a message is given; default: nothing
 */
export const messagesOf = <Name extends CatalogName>(
  language: string,
  name: Name,
  shown: (text: string) => string = (text) => text,
): Messages[Name] => {
  const formatter = formatterOf(language);
  const remarks = readRemarks(name);
  const entries = [...readCatalog(language, name)].map(
    ([key, message]): readonly [string, unknown] => {
      const parameters = parametersOf(remarks.get(key));
      const made = formatter.compile(message);
      if (parameters.length === 0) return [key, made({})];
      const chosen = chosenIn(message);
      const given = (one: string, value: unknown) =>
        typeof value === "string" && !chosen.has(one) ? shown(value) : value;
      const say = (...values: unknown[]) => {
        const named = values[0] as Readonly<Record<string, unknown>>;
        const taken = parameters.map(([one], at): readonly [string, unknown] => [
          one,
          given(one, isByName(name) ? named[one] : values[at]),
        ]);
        return made(Object.fromEntries(taken));
      };
      return [key, say];
    },
  );
  return nested(entries) as unknown as Messages[Name];
};

const typeNames = { String: "string", int: "number", bool: "boolean" } as const;

const typeSource = (made: Nested<string>, indent: string): string =>
  `{\n${Object.entries(made)
    .map(([name, value]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const type = typeof value === "string" ? value : typeSource(value, `${indent}  `);
      return `${indent}  readonly ${key}: ${type};`;
    })
    .join("\n")}\n${indent}}`;

/** The source of the types of all messages, from the English catalogs. */
export const typesSource = (): string => {
  const types = catalogs.map((name) => {
    const remarks = readRemarks(name);
    const entries = [...readCatalog("en", name).keys()].map((key): readonly [string, string] => {
      const list = Object.entries(remarks.get(key)?.placeholders ?? {});
      if (list.length === 0) return [key, "string"];
      const typed = list.map(([one, { type }]) => `${one}: ${typeNames[type]}`);
      const taken = isByName(name)
        ? `values: { ${typed.map((one) => `readonly ${one}`).join("; ")} }`
        : typed.join(", ");
      return [key, `(${taken}) => string`];
    });
    return `  readonly ${name}: ${typeSource(nested(entries), "  ")};`;
  });
  return `// Made by \`npm run languages\` from languages/en: the messages of each catalog.\n\nexport interface Messages {\n${types.join("\n")}\n}\n`;
};
