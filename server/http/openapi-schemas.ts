import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../contract/docs/json-schema.ts";
import { wordSets } from "../../contract/docs/names.ts";

/*
 * The contract's schemas as the components of the OpenAPI document: every record once, by its name, and in the
 * forms that generators of clients understand.
 */

export type Json = Record<string, unknown>;

/** A name as that of a type. */
export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
/** The name of one entry of a list. */
const singular = (name: string): string => name.replace(/ies$/, "y").replace(/s$/, "");

/** Patterns that only repeat a format, with lookaheads that not every language has. */
const withoutPattern = new Set(["date", "date-time", "base64"]);
/** Numbers beyond 32 bits, which some languages would cut off. */
const LONG = 2 ** 31;

const wordSetOf = (words: readonly unknown[]): string | undefined =>
  Object.entries(wordSets).find(([, known]) => isDeepStrictEqual(known, words))?.[0];

const isNull = ({ type }: Schema): boolean => type === "null";
const isNumber = ({ type }: Schema): boolean => type === "number" || type === "integer";

/** Returns whether a text can say everything that another form says. */
const spells = (text: Schema, other: Schema): boolean =>
  text.enum === undefined
    ? text.type === "string" && isNumber(other)
    : other.type === "boolean" && isDeepStrictEqual(text.enum, ["true", "false"]);

/**
 * The forms to document where several are understood: the text, if it can say the others too. Generators make
 * nothing useful of a choice, and answers have texts there.
 */
const documented = (forms: readonly Schema[]): readonly Schema[] => {
  const text = forms.find((one) => forms.every((other) => one === other || spells(one, other)));
  return text === undefined ? forms : [text];
};

/** The facts about a request's body besides its schema. */
interface AboutBody {
  /** True if it may have other fields. */
  readonly ignoresOthers: boolean;
  readonly example: unknown;
}

/** The records of a document, collected while its operations are described. */
export interface Records {
  /** A schema in which records are references. @param name what an object is called that has no name */
  readonly add: (schema: Schema, name: string) => Json;
  /** The body of a request: a reference, also to a list. */
  readonly addBody: (schema: Schema, name: string, about: AboutBody) => Json;
  readonly all: () => Readonly<Record<string, Json>>;
}

const merged = (name: string, one: Json, other: Json): Json => {
  const [a, b] = [one.properties, other.properties] as [Json | undefined, Json | undefined];
  if (isDeepStrictEqual(one, other)) return one;
  if (a === undefined || b === undefined) throw new Error(`${name} names two things.`);
  for (const key of Object.keys(a).filter((shared) => shared in b)) {
    if (!isDeepStrictEqual(a[key], b[key])) throw new Error(`${name}.${key} is two things.`);
  }
  const required = (one.required as string[]).filter((key) =>
    (other.required as string[]).includes(key),
  );
  return { ...one, properties: { ...a, ...b }, required };
};

/** Makes an empty collection. @param given records that are described elsewhere */
export const collectRecords = (given: Readonly<Record<string, Json>>): Records => {
  const records = new Map<string, Json>();

  const keep = (name: string, schema: Json, about: Json): Json => {
    const known = records.get(name);
    if (!(name in given))
      records.set(name, known === undefined ? schema : merged(name, known, schema));
    return { $ref: `#/components/schemas/${name}`, ...about };
  };

  const ofObject = (schema: Schema, name: string): Json => {
    const { properties = {}, required = [] } = schema;
    return {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, one]) => [
          field,
          add(one, `${name}${capitalized(field)}`),
        ]),
      ),
      required: required.filter((field) => field in properties),
    };
  };

  const ofChoice = (schema: Schema, name: string): Json => {
    const { anyOf = [], default: initial, ...about } = schema;
    const isNullable = anyOf.some(isNull);
    const forms = documented(anyOf.filter((one) => !isNull(one)));
    const [only, ...others] = forms;
    const known = initial === null || initial === undefined ? {} : { default: initial };
    if (only === undefined || others.length > 0) {
      const all = forms.map((one, at) => add(one, `${name}${at + 1}`));
      return { anyOf: [...all, ...(isNullable ? [{ type: "null" }] : [])], ...about };
    }
    const one = add({ ...about, ...only }, name);
    if (!isNullable) return { ...one, ...known };
    if (typeof one.type === "string" && one.enum === undefined) {
      return { ...one, type: [one.type, "null"], ...known };
    }
    const { description, ...bare } = one;
    return { anyOf: [bare, { type: "null" }], ...(description ? { description } : about) };
  };

  const ofNumber = (schema: Schema): Json => ({
    ...schema,
    ...(schema.type === "integer" && (schema.maximum ?? LONG) >= LONG ? { format: "int64" } : {}),
  });

  const ofWords = ({ enum: words = [], type, ...about }: Schema): Json => {
    const isWhole = words.every(Number.isSafeInteger);
    const typed = { type: isWhole ? "integer" : (type ?? typeof words[0]), enum: words };
    const name = wordSetOf(words);
    return name === undefined ? { ...typed, ...about } : keep(name, typed, about);
  };

  const add = (schema: Schema, unnamed: string): Json => {
    const { title, ...bare } = schema;
    const name = title ?? unnamed;
    if (bare.anyOf !== undefined) return ofChoice(bare, name);
    if (Array.isArray(bare.type)) {
      const { type, ...about } = bare;
      const anyOf = (type as readonly string[]).map((one) =>
        one === "null" ? { type: one } : { ...about, type: one },
      );
      const { description, default: initial } = bare;
      return ofChoice(
        {
          anyOf,
          ...(description === undefined ? {} : { description }),
          ...(initial === undefined ? {} : { default: initial }),
        },
        name,
      );
    }
    if (bare.enum !== undefined) return ofWords(bare);
    if (bare.const !== undefined) {
      const { const: value, description } = bare;
      // A boolean of one value is no type in most languages.
      const words = typeof value === "boolean" ? {} : { enum: [value] };
      return { type: typeof value, ...words, ...(description ? { description } : {}) };
    }
    if (bare.type === "array") {
      return { ...bare, items: add(bare.items ?? {}, singular(name)) } as Json;
    }
    if (bare.properties !== undefined) {
      const { description } = bare;
      return keep(name, ofObject(bare, name), description === undefined ? {} : { description });
    }
    if (bare.type === "object") {
      const { description } = bare;
      return {
        type: "object",
        additionalProperties: true,
        ...(description ? { description } : {}),
      };
    }
    if (bare.type === "integer" || bare.type === "number") return ofNumber(bare);
    const { pattern, format, ...rest } = bare;
    return {
      ...rest,
      ...(format === undefined || format === "base64" ? {} : { format }),
      ...(pattern === undefined || withoutPattern.has(format ?? "") ? {} : { pattern }),
    };
  };

  // The example is part of the record: openapi-generator warns of one beside it.
  const addBody = (schema: Schema, name: string, { ignoresOthers, example }: AboutBody): Json => {
    const examples = [example];
    if (schema.type === "array") {
      const { items = {}, ...list } = schema;
      const entry = add(items, `${name}Entry`);
      const body = { ...list, items: entry, examples };
      // It warns of a list of texts in the components, too.
      return "$ref" in entry ? keep(name, body, {}) : body;
    }
    const body = add(schema, name);
    const record = records.get(name);
    if (record === undefined) throw new Error(`The request ${name} has another name.`);
    const others = ignoresOthers ? { additionalProperties: true } : {};
    records.set(name, { ...record, ...others, examples });
    return body;
  };

  return {
    add,
    addBody,
    all: () =>
      Object.fromEntries(
        Object.entries({ ...given, ...Object.fromEntries(records) }).sort(([a], [b]) =>
          a < b ? -1 : 1,
        ),
      ),
  };
};
