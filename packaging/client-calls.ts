import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { answerOf, type Schema, schemaOf } from "../contract/docs/json-schema.ts";
import { requestNames, wordSets } from "../contract/docs/names.ts";
import { reasonTable } from "../contract/docs/reason-examples.ts";
import { withKnownMeanings } from "../contract/docs/socket-docs.ts";
import { operations } from "../contract/index.ts";
import type { Operation } from "../contract/kit/operation.ts";
import { texts } from "../contract/kit/texts.ts";
import { commands } from "../contract/meetings/commands.ts";
import { endings, meetingView, serverMessages } from "../contract/meetings/socket.ts";

/*
 * Writes the module that replaces contract/calls.ts in the packed client: the same types as plain
 * TypeScript, made from the schemas, so that the client has neither schemas nor Zod.
 */

const literals = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(" | ");

const wordSetOf = (words: readonly unknown[]): string | undefined =>
  Object.entries(wordSets).find(([, known]) => isDeepStrictEqual(known, words))?.[0];

const all = Object.entries(operations) as readonly [string, Operation][];

/** Records that have types of their own above. */
const written = new Set(["FieldError"]);
/** Every record with all fields that it has in some call; what all of them have is required. */
const records = new Map<string, Schema>();

const collect = ({ title, properties, required = [], items, anyOf = [] }: Schema): void => {
  if (properties !== undefined && title !== undefined && !written.has(title)) {
    const known = records.get(title);
    const shared = known?.required?.filter((name) => required.includes(name)) ?? required;
    records.set(title, { properties: { ...known?.properties, ...properties }, required: shared });
  }
  for (const one of [...Object.values(properties ?? {}), ...(items ? [items] : []), ...anyOf])
    collect(one);
};
for (const [, operation] of all) {
  collect(answerOf(operation));
  collect(schemaOf(operation.input, "input"));
}
/** The messages of the meeting socket, and the view that they make. */
const messages = Object.values(serverMessages).map((one) =>
  withKnownMeanings(schemaOf(one, "output")),
);
for (const one of [withKnownMeanings(schemaOf(meetingView, "output")), ...messages]) collect(one);

/** @param isAnswer whether a field that may be missing is never undefined otherwise */
const fieldsOf = (
  { properties = {}, required = [] }: Schema,
  indent: string,
  isAnswer = false,
): string => {
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const comment = field.description === undefined ? "" : `${deeper}/** ${field.description} */\n`;
    const type = typeOf(field, deeper);
    return required.includes(name)
      ? `${comment}${deeper}${name}: ${type};\n`
      : `${comment}${deeper}${name}?: ${type}${isAnswer ? "" : " | undefined"};\n`;
  });
  return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("")}${indent}}`;
};

/** A record in an answer: its type, and which of the fields that others lack it has. */
const recordOf = (title: string, { required = [] }: Schema): string => {
  if (written.has(title)) return title;
  const shared = records.get(title)?.required ?? [];
  const more = required.filter((name) => !shared.includes(name));
  return more.length === 0 ? title : `With<${title}, ${literals(more)}>`;
};

/** A JSON schema as a TypeScript type; fails on types that the contract does not use yet. */
const typeOf = (schema: Schema, indent: string): string => {
  if (schema.title !== undefined) return recordOf(schema.title, schema);
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.enum !== undefined) return wordSetOf(schema.enum) ?? literals(schema.enum);
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => typeOf(one, indent)).join(" | ");
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(" | ");
  }
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array": {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      if (schema.additionalProperties) return "Record<string, unknown>";
      return fieldsOf(schema, indent);
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }
};

/** Sets of words that some operation takes or answers, as types. */
const words = (): string =>
  Object.entries(wordSets)
    .map(([name, values]) => `export type ${name} = ${literals(values)};\n`)
    .join("");

const recordTypes = (): string =>
  [...records]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `export interface ${name} ${fieldsOf(schema, "", true)}\n`)
    .join("\n");

const requests = (): string =>
  Object.entries(requestNames)
    .map(([id, name]) => `export type ${name} = Inputs["${id}"];\n`)
    .join("");

const typesOf = (pick: (operation: Operation) => z.ZodType, io: "input" | "output"): string =>
  Object.entries(operations)
    .map(([id, operation]: [string, Operation]) => {
      const schema = io === "output" ? answerOf(operation) : schemaOf(pick(operation), io);
      const type = operation.file && io === "output" ? "Blob" : typeOf(schema, "  ");
      return `  /** ${operation.summary} */\n  readonly ${id}: ${type};\n`;
    })
    .join("");

const commandTypes = (): string =>
  Object.entries(commands)
    .map(([name, input]) => `  readonly ${name}: ${typeOf(schemaOf(input, "input"), "  ")};\n`)
    .join("");

const plans = (): string =>
  Object.entries(operations)
    .map(([id, { method, path, in: where, access, file, changes }]: [string, Operation]) => {
      const plan = {
        method,
        path,
        in: where,
        access,
        ...(file && { file }),
        ...(changes && { changes }),
      };
      return `  ${id}: ${JSON.stringify(plan)},\n`;
    })
    .join("");

const reasonValues = (): string =>
  reasonTable
    .map(({ code, values }) => {
      const fields = values.map(
        ({ name, type, optional }) => `readonly ${name}${optional ? "?" : ""}: ${type}`,
      );
      return `  ${code}: ${fields.length === 0 ? "unknown" : `{ ${fields.join("; ")} }`};\n`;
    })
    .join("");

/** The text of the module. */
export const clientCalls = (): string => `// Generated from Parley's contract.

/** The stable, machine-readable name of a failure. */
export type Code =
${Object.keys(texts)
  .map((code) => `  | "${code}"`)
  .join("\n")};

/** The codes of failures that this version knows. */
export type KnownCode = Code;

/** The codes of reasons with their values, besides those of failures, which have none. */
interface ReasonValues extends Record<Code, unknown> {
${reasonValues()}}

/** Why something is refused. */
export type ReasonCode = keyof ReasonValues;

/** A code with its values. */
export type Reason<C extends ReasonCode = ReasonCode> = {
  [K in C]: { readonly code: K } & ReasonValues[K];
}[C];

/** The fault of one field, with the values of its code; \`field\` is a path such as \`[3].userId\`. */
export type FieldError<C extends ReasonCode = ReasonCode> = {
  [K in C]: {
    readonly field: string;
    /** The field that the text names, if \`field\` is not it. */
    readonly about?: string;
    readonly code: K;
    /** The text in English, made from the code and its values. */
    readonly message: string;
  } & ReasonValues[K];
}[C];

/** A record with fields that not every answer has. */
type With<T, K extends keyof T> = T & Required<Pick<T, K>>;

${words()}
${recordTypes()}
${requests()}
/** The messages that the service sends over the meeting socket. */
export type ServerMessage =
${messages.map(({ title }) => `  | ${title}`).join("\n")};

/** Why a seat ended, as precisely as its text. */
export type EndCode = ${literals(Object.keys(endings))};

/** The input of each command of the meeting socket. */
export interface Commands {
${commandTypes()}}
export type CommandName = keyof Commands;

/** How an operation is called. */
export interface CallPlan {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly in: "body" | "query" | "path" | "nothing";
  readonly access: "anyone" | "anyone or token" | "token" | "person" | "administrator";
  readonly file?: readonly string[];
  readonly changes?: true;
}

export const calls: Readonly<Record<string, CallPlan>> = {
${plans()}};

/** The input of each operation. */
export interface Inputs {
${typesOf(({ sent, input }) => sent ?? input, "input")}}

/** The answer of each operation. */
export interface Replies {
${typesOf(({ reply }) => reply, "output")}}
`;
