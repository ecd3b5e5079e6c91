import { z } from "zod";
import type { FieldError } from "../../contract/client.ts";
import type { Checked, Operation } from "../../contract/operation.ts";
import { withoutEmpty } from "../../contract/pages.ts";
import { type Code, codeOf, isInterfaceText, phraseOf } from "../../contract/texts.ts";
import { Refusal } from "../refusal.ts";

/** A path as people write it: `[3].userId`, `tags[0]`. */
const fieldAt = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, part) =>
      typeof part === "number"
        ? `${field}[${part}]`
        : field === ""
          ? String(part)
          : `${field}.${String(part)}`,
    "",
  );

/** A schema's message in full: a text of the contract stands for itself, a phrase follows its field. */
const sentence = (field: string, message: string): string =>
  codeOf(message) !== undefined || (field !== "" && message.startsWith(`${field} `))
    ? message
    : `${field === "" ? "The body" : field} ${message}`;

/**
 * The refusal for these issues. Its text is the first one that the interface gives; without any,
 * that of the first field, in the order of the schema.
 */
const refusalOf = (issues: readonly z.core.$ZodIssue[]): Refusal => {
  const speaking = issues.find(({ message }) => isInterfaceText(message)) ?? issues[0];
  const all = issues.map(({ path, message }): FieldError => {
    const field = fieldAt(path);
    const code = codeOf(message);
    return { field, message: sentence(field, (code && phraseOf(code)) ?? message) };
  });
  // One number can break two bounds that have the same message.
  const errors = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  const code: Code = (speaking && codeOf(speaking.message)) ?? "invalid_input";
  const text = speaking && sentence(fieldAt(speaking.path), speaking.message);
  return new Refusal(code, errors, text);
};

/** Adds to a refusal the errors of fields that it does not name yet. */
const withMore = ({ code, errors, message }: Refusal, more: readonly FieldError[]): Refusal => {
  const named = new Set(errors.map(({ field }) => field.replace(/[[.].*/, "")));
  const added = more.filter(({ field }) => !named.has(field));
  return new Refusal(code, [...errors, ...added], message);
};

/** The schema inside a pipe: the one whose fields the caller sends. */
const written = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodPipe ? written(schema.in as z.ZodType) : schema;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks the input of an operation; made once per operation. */
export interface InputCheck<O extends Operation> {
  /**
   * @param moreErrors finds what else is wrong, once the schema has refused the input
   * @throws Refusal with every field that is wrong
   */
  readonly check: (
    raw: unknown,
    moreErrors?: () => Promise<readonly FieldError[]>,
  ) => Promise<Checked<O>>;
  /**
   * The unknown fields, percent-encoded, for `Parley-Ignored`: callers see their typos. Read-only keys
   * of a fetched record are not named.
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
        const message = "The body must be a JSON object.";
        throw new Refusal("invalid_input", [{ field: "", message }], message);
      }
      const { success, data, error } = operation.input.safeParse(given);
      if (!success) throw withMore(refusalOf(error.issues), await moreErrors());
      return data as Checked<O>;
    },
    ignored: (raw) => {
      const names = Array.isArray(raw)
        ? raw.flatMap((entry, index) => unknownIn(entry, `[${index}].`))
        : unknownIn(raw);
      return names.slice(0, NAMES).map(encode);
    },
  };
};
