import { isStorable } from "../../contract/kit/fields.ts";
import { keyOf, wordOf } from "./names.ts";
import { refuseScim } from "./refused.ts";

/** How a filter compares. */
export const comparisons = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;
export type Comparing = (typeof comparisons)[number];
export type Value = string | number | boolean | null;

/** A filter as a tree (RFC 7644, 3.4.2.2). */
export type ScimFilter =
  | { readonly kind: "and" | "or"; readonly of: readonly [ScimFilter, ScimFilter] }
  | { readonly kind: "not"; readonly of: ScimFilter }
  | { readonly kind: "present"; readonly key: string }
  | {
      readonly kind: "compare";
      readonly key: string;
      readonly by: Comparing;
      readonly value: Value;
    }
  /** A filter of the values of an attribute, in brackets. */
  | { readonly kind: "values"; readonly key: string; readonly of: ScimFilter };

/** The target of a change of a person: an attribute, some of its values, a part of these. */
export interface Path {
  readonly key: string;
  readonly filter?: ScimFilter;
  readonly part?: string;
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/y;
const LONGEST = 4_000;
/** How deep a filter may be nested. */
const DEPTH = 30;

const isComparison = (word: string): word is Comparing =>
  (comparisons as readonly string[]).includes(word);

/** Reads filters and paths, from the first token to the last. */
class Reader {
  readonly #tokens: string[] = [];
  readonly #fail: (detail: string) => never;
  #at = 0;
  #depth = 0;

  constructor(text: string, fail: (detail: string) => never) {
    this.#fail = fail;
    if (text.length > LONGEST) fail(`It has more than ${LONGEST} characters.`);
    TOKEN.lastIndex = 0;
    const whole = text.trimEnd();
    while (TOKEN.lastIndex < whole.length) {
      const from = TOKEN.lastIndex;
      const [, token = fail(`It cannot be read from character ${from + 1} on.`)] =
        TOKEN.exec(whole) ?? [];
      this.#tokens.push(token);
    }
  }

  #next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? this.#fail("It ends too early.");
  }

  #is(word: string): boolean {
    return this.#tokens[this.#at]?.toLowerCase() === word;
  }

  #take(word: string): boolean {
    const isThere = this.#is(word);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #expect(word: string): void {
    if (!this.#take(word)) this.#fail(`"${word}" is missing.`);
  }

  end(): void {
    const left = this.#tokens[this.#at];
    if (left !== undefined) this.#fail(`"${left}" is not expected.`);
  }

  filter(): ScimFilter {
    this.#depth += 1;
    if (this.#depth > DEPTH) this.#fail("It is nested too deeply.");
    let one = this.#all();
    while (this.#take("or")) one = { kind: "or", of: [one, this.#all()] };
    this.#depth -= 1;
    return one;
  }

  #all(): ScimFilter {
    let one = this.#single();
    while (this.#take("and")) one = { kind: "and", of: [one, this.#single()] };
    return one;
  }

  #single(): ScimFilter {
    if (this.#take("not")) {
      this.#expect("(");
      const of = this.filter();
      this.#expect(")");
      return { kind: "not", of };
    }
    if (this.#take("(")) {
      const inner = this.filter();
      this.#expect(")");
      return inner;
    }
    const key = this.#name();
    if (this.#take("[")) {
      const of = this.#inBrackets();
      const part = this.#part();
      if (part === undefined) return { kind: "values", key, of };
      // As Entra ID writes it: emails[type eq "work"].value eq "…".
      return { kind: "values", key, of: { kind: "and", of: [of, this.#comparison(part)] } };
    }
    return this.#comparison(key);
  }

  #comparison(key: string): ScimFilter {
    const by = this.#next().toLowerCase();
    if (by === "pr") return { kind: "present", key };
    if (!isComparison(by)) return this.#fail(`"${by}" is no operator.`);
    return { kind: "compare", key, by, value: this.#value() };
  }

  #inBrackets(): ScimFilter {
    const of = this.filter();
    this.#expect("]");
    return of;
  }

  #name(): string {
    const name = this.#next();
    return /^[a-z$][\w$.:-]*$/i.test(name) ? keyOf(name) : this.#fail(`"${name}" is no attribute.`);
  }

  #value(): Value {
    const word = this.#next();
    try {
      // Clients write True as well.
      const value: unknown = JSON.parse(
        /^(?:true|false|null)$/i.test(word) ? word.toLowerCase() : word,
      );
      const isValue = typeof value === "string" ? isStorable(value) : typeof value !== "object";
      if (isValue || value === null) return value as Value;
    } catch {
      // It is no JSON.
    }
    return this.#fail(`"${word}" is no value; texts stand in quotation marks.`);
  }

  /** The part of a value that follows its brackets. */
  #part(): string | undefined {
    const rest = this.#tokens[this.#at];
    if (rest === undefined || !/^\.[a-z$][\w$-]*$/i.test(rest)) return undefined;
    this.#at += 1;
    return rest.slice(1).toLowerCase();
  }

  path(): Path {
    const key = this.#name();
    if (!this.#take("[")) return { key };
    const filter = this.#inBrackets();
    const part = this.#part();
    return part === undefined ? { key, filter } : { key, filter, part };
  }
}

/** Reads a filter. @throws ScimRefused `invalidFilter` */
export const readFilter = (text: string): ScimFilter => {
  const reader = new Reader(text, (detail) =>
    refuseScim("invalidFilter", `The filter is not accepted. ${detail}`),
  );
  const filter = reader.filter();
  reader.end();
  return filter;
};

/** Reads the path of an operation. @throws ScimRefused `invalidPath` */
export const readPath = (text: string): Path => {
  const reader = new Reader(text, (detail) =>
    refuseScim("invalidPath", `The path is not accepted. ${detail}`),
  );
  const path = reader.path();
  reader.end();
  return path;
};

const compare = (one: unknown, by: Comparing, value: Value): boolean => {
  // Clients write true in quotation marks.
  const [left, right] = [wordOf(one), wordOf(value)];
  switch (by) {
    case "eq":
      return left === right;
    case "ne":
      return left !== right;
    case "co":
      return left.includes(right);
    case "sw":
      return left.startsWith(right);
    case "ew":
      return left.endsWith(right);
    case "gt":
      return left > right;
    case "ge":
      return left >= right;
    case "lt":
      return left < right;
    case "le":
      return left <= right;
  }
};

/** Returns whether a value of an attribute is one of those that a filter in brackets means. */
export const matches = (filter: ScimFilter, value: Readonly<Record<string, unknown>>): boolean => {
  const part = (key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
  switch (filter.kind) {
    case "and":
      return filter.of.every((one) => matches(one, value));
    case "or":
      return filter.of.some((one) => matches(one, value));
    case "not":
      return !matches(filter.of, value);
    case "present":
      return (part(filter.key) ?? null) !== null;
    case "compare":
      return compare(part(filter.key), filter.by, filter.value);
    case "values":
      return false;
  }
};

/** The fields that a new value needs for a filter in brackets to match it. */
export const describedBy = (filter: ScimFilter): Record<string, unknown> => {
  if (filter.kind === "and") return Object.assign({}, ...filter.of.map(describedBy));
  return filter.kind === "compare" && filter.by === "eq" ? { [filter.key]: filter.value } : {};
};
