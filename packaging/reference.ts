import { z } from "zod";
import { callers, descriptions } from "../contract/descriptions.ts";
import { type Operations, operations } from "../contract/index.ts";
import type { Operation } from "../contract/operation.ts";
import { editOnlySettings, roomSettings } from "../contract/room-settings.ts";
import { isForKeys, scopeOf, scopes } from "../contract/scopes.ts";
import { type Code, interfaceTexts, texts } from "../contract/texts.ts";
import { userSettings } from "../contract/user-settings.ts";

/*
 * The parts of docs/interface.md that come from the contract. Each is in the document between
 * `<!-- made: NAME -->` and `<!-- /made -->`.
 */

/** The parts of a JSON schema that are used here. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The additional properties that an object may have, if any. */
  readonly additionalProperties?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

const textOf = ({ format, minLength = 0, maxLength }: Schema): string => {
  const kind = { email: "email address", "date-time": "date and time" }[format ?? ""] ?? "text";
  if (maxLength === undefined) return kind;
  return `${kind}, ${minLength > 0 ? `${minLength} to` : "at most"} ${maxLength} characters`;
};

/** The values that a field takes, in words. */
const kindOf = (schema: Schema): string => {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(", or ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => kindOf({ type })).join(" or ");
  }
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return (schema.maximum ?? Number.MAX_SAFE_INTEGER) < Number.MAX_SAFE_INTEGER
        ? `whole number, ${schema.minimum} to ${schema.maximum}`
        : `whole number from ${schema.minimum ?? 0}`;
    case "array": {
      const most = schema.maxItems === undefined ? "" : `, at most ${schema.maxItems}`;
      return `array of (${kindOf(schema.items ?? {})})${most}`;
    }
    case "object":
      return `object with ${Object.keys(schema.properties ?? {})
        .map((name) => `\`${name}\``)
        .join(", ")}`;
    case "string":
      return textOf(schema);
    default:
      return schema.type === undefined ? "any" : String(schema.type);
  }
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

const fieldsOf = ({ properties = {}, required = [] }: Schema, readOnly = false): string =>
  table(
    readOnly ? ["Field", "Takes", "Meaning"] : ["Field", "Takes", "When omitted", "Meaning"],
    Object.entries(properties).map(([name, field]) => [
      `\`${name}\``,
      kindOf(field),
      ...(readOnly
        ? []
        : [
            required.includes(name)
              ? "required"
              : field.default === undefined
                ? ""
                : code(field.default),
          ]),
      field.description ?? "",
    ]),
  );

type Settings = Readonly<Record<string, { readonly create: z.ZodType }>>;

const settingsTable = (settings: Settings): string =>
  table(
    ["Field", "Takes", "Default", "Meaning"],
    Object.entries(settings).map(([name, { create }]) => {
      const { default: initial, description = "", ...schema } = schemaOf(create);
      return [`\`${name}\``, kindOf(schema), code(initial), description];
    }),
  );

const FAILURES: Readonly<Record<Operation["failure"], string>> = {
  message: "`success` false, `message`",
  "typed message": "`type`, `success` false, `message`",
  "typed error": "`type`, `success` false, `error`",
  authToken: "`authToken` with `ok` false and `message`",
};

/** The settings that an operation takes; they have separate tables. */
const settingsIn = ({ group }: Operation, fields: object): readonly string[] => {
  const settings = group === "Rooms" ? { ...roomSettings, ...editOnlySettings } : userSettings;
  const names = Object.keys(settings);
  return names.every((name) => name in fields) ? names : [];
};

const inputOf = (operation: Operation): string => {
  const { properties, ...schema } = schemaOf(operation.sent ?? operation.input);
  if (operation.in === "nothing") return "Takes nothing.";
  if (properties === undefined) return `The body: ${kindOf(schema)}.`;
  const settings = settingsIn(operation, properties);
  const own = Object.entries(properties).filter(([name]) => !settings.includes(name));
  const more =
    settings.length === 0
      ? ""
      : `\n\nAnd any setting of the ${operation.group === "Rooms" ? "room" : "person"}.`;
  return (
    fieldsOf({ ...schema, properties: Object.fromEntries(own) }, operation.in === "path") + more
  );
};

/** The file formats in which an operation answers. */
const fileOf = ({ file }: Operation): string =>
  file === undefined
    ? ""
    : ` with a file, ${file.map((kind) => `\`${kind}\``).join(" or ")}, which is sent as it is read`;

const operationBlock = (operation: Operation): string => {
  const { otherStatus, refusals, fault } = operation;
  const type = operation.type === undefined ? "" : ` with \`type\` \`${operation.type}\``;
  const codes = [...refusals, ...(fault === undefined ? [] : [fault.code])];
  return [
    `\`${operation.method} ${operation.path}\`, for ${callers[operation.access]}.`,
    descriptions[operation.id as keyof Operations],
    inputOf(operation),
    `Answers ${operation.status}${type}${fileOf(operation)}.${otherStatus === undefined ? "" : ` ${otherStatus.status}: ${otherStatus.when}`} ` +
      `Failures carry ${FAILURES[operation.failure]}${
        codes.length === 0 ? "" : `; its own codes: ${codes.map((one) => `\`${one}\``).join(", ")}`
      }.`,
  ].join("\n\n");
};

const textRows = (keep: (code: Code) => boolean): string =>
  table(
    ["Code", "Status", "Text"],
    (Object.keys(texts) as Code[])
      .filter(keep)
      .map((code) => [`\`${code}\``, String(texts[code].status), texts[code].text]),
  );

const all = Object.values(operations) as readonly Operation[];

/** Every part by its name. */
export const parts: Readonly<Record<string, () => string>> = {
  operations: () =>
    table(
      ["Method of the client", "Method and path", "For", ""],
      all.map(({ id, method, path, access, summary }) => [
        `\`${id}\``,
        `\`${method} ${path}\``,
        callers[access],
        summary,
      ]),
    ),
  scopes: () =>
    table(
      ["Scope", "Operations that need it"],
      [...Map.groupBy(all.filter(isForKeys), scopeOf)]
        .sort(([one], [other]) => scopes.indexOf(one) - scopes.indexOf(other))
        .map(([scope, some]) => [`\`${scope}\``, some.map(({ id }) => `\`${id}\``).join(", ")]),
    ),
  "room settings": () => settingsTable(roomSettings),
  "edit-only settings": () => settingsTable(editOnlySettings),
  "user settings": () => settingsTable(userSettings),
  "interface texts": () => textRows((one) => one in interfaceTexts),
  "our texts": () => textRows((one) => !(one in interfaceTexts)),
  ...Object.fromEntries(all.map((one) => [one.id, () => operationBlock(one)])),
};

const PART = /(<!-- made: ([\w -]+) -->\n)[\s\S]*?(<!-- \/made -->)/g;

/**
 * The document with every part updated.
 *
 * @throws Error if it has an unknown part
 */
export const refreshed = (document: string): string =>
  document.replaceAll(PART, (_, start: string, name: string, end: string) => {
    const make = parts[name];
    if (make === undefined) throw new Error(`No part is called ${name}.`);
    return `${start}\n${make()}\n\n${end}`;
  });

/** The parts that a document has. */
export const partsIn = (document: string): readonly string[] =>
  [...document.matchAll(PART)].map(([, , name = ""]) => name);
