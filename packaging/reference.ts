import type { z } from "zod";
import { callers, descriptions } from "../contract/docs/descriptions.ts";
import { type Schema, schemaOf } from "../contract/docs/json-schema.ts";
import { reasonTable } from "../contract/docs/reason-examples.ts";
import { purposeOf, senderOf, withKnownMeanings } from "../contract/docs/socket-docs.ts";
import { type Operations, operations } from "../contract/index.ts";
import type { Operation } from "../contract/kit/operation.ts";
import { isForKeys } from "../contract/kit/operation.ts";
import { organizationSettings } from "../contract/kit/organization-settings.ts";
import { scopeOf, scopes } from "../contract/kit/scopes.ts";
import { type Code, interfaceTexts, texts } from "../contract/kit/texts.ts";
import { type CommandName, commands } from "../contract/meetings/commands.ts";
import { endings, serverMessages } from "../contract/meetings/socket.ts";
import { userSettings } from "../contract/people/settings.ts";
import { editOnlySettings, roomSettings } from "../contract/rooms/settings.ts";
import { recordParts, settingsTables, successOf } from "./answers.ts";
import { code, kindOf, namesOf, table } from "./tables.ts";

/*
 * The parts of docs/interface.md that come from the contract. Each is in the document between
 * `<!-- made: NAME -->` and `<!-- /made -->`.
 */

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
      const { default: initial, description = "", ...schema } = schemaOf(create, "input");
      return [`\`${name}\``, kindOf(schema), code(initial), description];
    }),
  );

const FAILURES: Readonly<Record<Operation["failure"], string>> = {
  message: "`success` false, `message`",
  "typed message": "`type`, `success` false, `message`",
  "typed error": "`type`, `success` false, `error`",
  authToken: "`authToken` with `ok` false and `message`",
};

const inputOf = (operation: Operation): string => {
  const { properties, ...schema } = schemaOf(operation.sent ?? operation.input, "input");
  if (operation.in === "nothing") return "Takes nothing.";
  if (properties === undefined) return `The body: ${kindOf(schema)}.`;
  const settings = settingsTables.find(({ names }) => names.every((name) => name in properties));
  const own = Object.entries(properties).filter(([name]) => !settings?.names.includes(name));
  const fields = { ...schema, properties: Object.fromEntries(own) };
  const any = `any [setting](#${settings?.at}) of the ${settings?.of}.`;
  if (own.length === 0) return `Takes ${any}`;
  return fieldsOf(fields, operation.in === "path") + (settings ? `\n\nAnd ${any}` : "");
};

/** The file formats of an operation's answer. */
const fileOf = (file: readonly string[]): string =>
  `a file, ${file.map((kind) => `\`${kind}\``).join(" or ")}, which is sent as it is read`;

const operationBlock = (operation: Operation): string => {
  const { status, otherStatus, refusals, fault, file } = operation;
  const codes = [...refusals, ...(fault === undefined ? [] : [fault.code])];
  const success = successOf(operation);
  const answers = `Answers ${status} with ${file ? fileOf(file) : success.keys}.${
    otherStatus === undefined ? "" : ` ${otherStatus.status}: ${otherStatus.when}`
  }`;
  const failures = `Failures carry ${FAILURES[operation.failure]}${
    codes.length === 0 ? "" : `; its own codes: ${namesOf(codes)}`
  }.`;
  return [
    `\`${operation.method} ${operation.path}\`, for ${callers[operation.access]}.`,
    descriptions[operation.id as keyof Operations],
    inputOf(operation),
    ...(success.table === "" ? [`${answers} ${failures}`] : [answers, success.table, failures]),
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

/** The fields of a message of the meeting socket, or of a record in one, in one cell. */
const cellOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .filter(([name, field]) => name !== "type" || field.const === undefined)
    .map(([name, field]) => {
      const optional = required.includes(name) ? "" : "?";
      return `\`${name}\`${optional}: ${kindOf(field, ({ title }) => `\`${title}\``)}`;
    })
    .join("; ");

const messageSchemas = () =>
  Object.values(serverMessages).map((schema) => withKnownMeanings(schemaOf(schema, "output")));

const socketMessages = (): string =>
  table(
    ["Message", "Meaning", "Fields"],
    messageSchemas().map((schema) => [
      `\`${schema.properties?.type?.const}\``,
      schema.description ?? "",
      cellOf(schema),
    ]),
  );

/** The records in schemas, at every depth, by their names. */
const recordsIn = (schemas: readonly Schema[]): readonly (readonly [string, Schema])[] =>
  schemas.flatMap((schema) => {
    const inside = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items ? [schema.items] : []),
      ...(schema.anyOf ?? []),
    ];
    const own = schema.properties && schema.title ? [[schema.title, schema] as const] : [];
    return [...own, ...recordsIn(inside)];
  });

const socketRecords = (): string => {
  const inside = messageSchemas().flatMap(({ properties = {} }) => Object.values(properties));
  return table(
    ["Record", "Field", "Gives", "Meaning"],
    [...new Map(recordsIn(inside))].flatMap(([title, { properties = {} }]) =>
      Object.entries(properties).map(([name, field]) => [
        `\`${title}\``,
        `\`${name}\``,
        kindOf(field, (one) => `\`${one.title}\``),
        field.description ?? "",
      ]),
    ),
  );
};

const socketCommands = (): string =>
  table(
    ["Command", "For", "Meaning", "Takes"],
    (Object.keys(commands) as CommandName[]).map((name) => [
      `\`${name}\``,
      senderOf(name),
      purposeOf(name),
      cellOf(schemaOf(commands[name], "input")),
    ]),
  );

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
  "organization settings": () => settingsTable(organizationSettings),
  ...recordParts,
  "interface texts": () => textRows((one) => one in interfaceTexts),
  reasons: () =>
    table(
      ["Code", "Values", "Text, with examples"],
      reasonTable.map(({ code: one, values, text }) => [
        `\`${one}\``,
        values.map(({ name, optional }) => `\`${name}\`${optional ? "?" : ""}`).join(", "),
        text,
      ]),
    ),
  "socket messages": socketMessages,
  "socket records": socketRecords,
  "socket commands": socketCommands,
  endings: () =>
    table(
      ["Code", "Text"],
      Object.entries(endings).map(([one, text]) => [`\`${one}\``, text]),
    ),
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
