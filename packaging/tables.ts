import type { Schema } from "../contract/docs/json-schema.ts";

/*
 * How the reference writes values and tables in Markdown.
 */

export const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

/** Names of fields, joined by commas. */
export const namesOf = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(", ");

const textOf = ({ format, minLength = 0, maxLength }: Schema): string => {
  const kind = { email: "email address", "date-time": "date and time" }[format ?? ""] ?? "text";
  if (maxLength === undefined) return kind;
  return `${kind}, ${minLength > 0 ? `${minLength} to` : "at most"} ${maxLength} characters`;
};

const wholeNumberOf = ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string => {
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return "whole number";
  return maximum < Number.MAX_SAFE_INTEGER
    ? `whole number, ${minimum} to ${maximum}`
    : `whole number from ${minimum}`;
};

const objectWithNames = ({ properties = {} }: Schema): string =>
  `object with ${namesOf(Object.keys(properties))}`;

/**
 * The values of a field, in words.
 *
 * @param objectOf an object in words
 */
export const kindOf = (schema: Schema, objectOf = objectWithNames): string => {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ");
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => kindOf(one, objectOf)).join(", or ");
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => kindOf({ type }, objectOf)).join(" or ");
  }
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return wholeNumberOf(schema);
    case "array": {
      const most = schema.maxItems === undefined ? "" : `, at most ${schema.maxItems}`;
      return `array of (${kindOf(schema.items ?? {}, objectOf)})${most}`;
    }
    case "object":
      return schema.properties === undefined ? "object" : objectOf(schema);
    case "string":
      return textOf(schema);
    default:
      return schema.type === undefined ? "any" : String(schema.type);
  }
};

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
