import { z } from "zod";
import type { Checked, Operation } from "../../contract/kit/operation.ts";
import { withoutEmpty } from "../../contract/kit/pages.ts";
import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import { Refusal, refusalOf } from "../lib/refusal.ts";

/** Adds errors of fields that a refusal does not name yet. */
const withMore = ({ code, errors }: Refusal, more: readonly FieldReason[]): Refusal => {
  const named = new Set(errors.map(({ field }) => field.replace(/[[.].*/, "")));
  const added = more.filter(({ field }) => !named.has(field));
  return new Refusal(code, [...errors, ...added]);
};

/** The schema inside a pipe: the one of the fields that callers send. */
const written = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodPipe ? written(schema.in as z.ZodType) : schema;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks an operation's input; made once per operation. */
export interface InputCheck<O extends Operation> {
  /**
   * @param moreErrors finds what else is wrong, once the schema has refused the input
   * @throws Refusal with every field that is wrong
   */
  readonly check: (
    raw: unknown,
    moreErrors?: () => Promise<readonly FieldReason[]>,
  ) => Promise<Checked<O>>;
  /**
   * Unknown fields, percent-encoded, for `Parley-Ignored`, so that callers see typos. Read-only
   * keys of a fetched record are not named.
   */
  readonly ignored: (raw: unknown) => string[];
}

/** The most names in the header. */
const NAMES = 20;

const encode = (name: string): string => encodeURIComponent(name.slice(0, 100).toWellFormed());

/** Makes the check of an operation's input. */
export const inputCheck = <O extends Operation>(operation: O): InputCheck<O> => {
  const schema = written(operation.input);
  const takesObject = schema instanceof z.ZodObject;
  const element = schema instanceof z.ZodArray ? schema.element : schema;
  const known =
    element instanceof z.ZodObject
      ? new Set([...Object.keys(element.shape), ...(operation.readOnly ?? [])])
      : undefined;
  const unknownIn = (value: unknown, prefix = ""): string[] =>
    known && isObject(value)
      ? Object.keys(value)
          .filter((key) => !known.has(key))
          .map((key) => prefix + key)
      : [];
  return {
    check: async (raw, moreErrors = async () => []) => {
      const sent = operation.in === "query" ? withoutEmpty(raw) : raw;
      const given = takesObject ? (sent ?? {}) : sent;
      if (takesObject && !isObject(given)) {
        throw new Refusal("invalid_input", [wrong("", "not_object")]);
      }
      const { success, data, error } = operation.input.safeParse(given);
      if (!success) throw withMore(refusalOf(error.issues), await moreErrors());
      return data as Checked<O>;
    },
    ignored: (raw) => {
      if (known === undefined || operation.in === "path") return [];
      const names = Array.isArray(raw)
        ? raw.flatMap((entry, index) => unknownIn(entry, `[${index}].`))
        : unknownIn(raw);
      return names.slice(0, NAMES).map(encode);
    },
  };
};
