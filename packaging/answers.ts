import { answerOf, type Schema } from "../contract/docs/json-schema.ts";
import { type Operations, operations } from "../contract/index.ts";
import type { Operation } from "../contract/kit/operation.ts";
import { organizationSettings } from "../contract/kit/organization-settings.ts";
import { userSettings } from "../contract/people/settings.ts";
import { allSettings, editOnlySettings } from "../contract/rooms/settings.ts";
import { kindOf, namesOf, table } from "./tables.ts";

/*
 * The success of each operation, for docs/interface.md. Records that several answers carry are
 * described once.
 */

/** Settings with tables of their own, and the headings of these. */
export const settingsTables = [
  { of: "room", at: "room-setting", names: Object.keys(allSettings) },
  { of: "person", at: "user", names: Object.keys(userSettings) },
  { of: "organization", at: "settings", names: Object.keys(organizationSettings) },
];

/** The object in a field, as its value or as the entries of an array. */
const objectIn = ({ properties, items, anyOf = [], ...schema }: Schema): Schema | undefined => {
  if (properties !== undefined) return { ...schema, properties };
  return [...(items ? [items] : []), ...anyOf].map(objectIn).find((one) => one !== undefined);
};

/** The object in one field of an answer. */
const fieldOf = (id: keyof Operations, name: string): Schema => {
  const field = answerOf(operations[id]).properties?.[name];
  const object = field && objectIn(field);
  if (object === undefined) throw new Error(`${id} answers no object ${name}.`);
  return object;
};

/** Records that several answers carry, with all possible keys, and the headings of their tables. */
const records = [
  { name: "room record", at: "response-record", schema: fieldOf("editRoom", "roomSetting") },
  { name: "person record", at: "person-record", schema: fieldOf("listUsers", "users") },
  { name: "pagination", at: "lists", schema: fieldOf("listRooms", "pagination") },
  { name: "settings", at: "settings", schema: fieldOf("editOrganization", "settings") },
  { name: "access key record", at: "access-keys", schema: fieldOf("createAccessKey", "accessKey") },
  { name: "import record", at: "imports", schema: fieldOf("createImport", "import") },
  { name: "webhook record", at: "webhooks", schema: fieldOf("createWebhook", "webhook") },
  { name: "recording record", at: "recordings", schema: fieldOf("fetchRecording", "recording") },
  { name: "media record", at: "play-and-download", schema: fieldOf("openRecording", "media") },
  { name: "link record", at: "share", schema: fieldOf("createRecordingLink", "link") },
  { name: "live stream record", at: "live-streams", schema: fieldOf("startStream", "liveStream") },
];

const isSame = (one: Schema, other: Schema | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The record with every field of an object, if there is one. */
const recordOf = ({ properties = {} }: Schema) => {
  const fields = Object.entries(properties);
  return fields.length === 0
    ? undefined
    : records.find(({ schema }) =>
        fields.every(([name, field]) => isSame(field, schema.properties?.[name])),
      );
};

/** Names of fields; a room's edit-only settings, if complete, in three words. */
const shortNamesOf = (names: readonly string[]): string => {
  const extra = Object.keys(editOnlySettings);
  if (!extra.every((name) => names.includes(name))) return namesOf(names);
  const others = names.filter((name) => !extra.includes(name));
  return `${namesOf(others)} and the edit-only settings`;
};

/** An object in words: its record, and which of its keys it has. */
const objectOf = (object: Schema): string => {
  const record = recordOf(object);
  if (record === undefined) return "object";
  const names = Object.keys(object.properties ?? {});
  const missing = Object.keys(record.schema.properties ?? {}).filter(
    (name) => !names.includes(name),
  );
  const link = `[${record.name}](#${record.at})`;
  if (missing.length === 0) return link;
  return missing.length < names.length
    ? `${link} without ${shortNamesOf(missing)}`
    : `${link} with only ${namesOf(names)}`;
};

type Row = readonly [name: string, gives: string, meaning: string];

/** The rows of a field's fields; a record has its own table. */
const rowsIn = (schema: Schema, at: string): Row[] => {
  if (schema.items !== undefined) return rowsIn(schema.items, `${at}[]`);
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => rowsIn(one, at));
  return recordOf(schema) === undefined ? rowsOf(schema, `${at}.`) : [];
};

const rowsOf = ({ properties = {} }: Schema, at = ""): Row[] =>
  Object.entries(properties).flatMap(([name, field]) => [
    [`\`${at}${name}\``, kindOf(field, objectOf), field.description ?? ""],
    ...rowsIn(field, `${at}${name}`),
  ]);

const tableOf = (rows: readonly Row[]): string => table(["Field", "Gives", "Meaning"], rows);

/** The constant keys of an answer, in words. */
const constants: Readonly<Record<string, (field: Schema) => string>> = {
  type: ({ const: value }) => `\`type\` \`${value}\``,
  success: () => "`success` true",
};

/** A success: in words, and a table of its other keys; empty without any. */
export const successOf = (
  operation: Operation,
): { readonly keys: string; readonly table: string } => {
  const { properties = {} } = answerOf(operation);
  const own = Object.entries(properties).filter(([name]) => !(name in constants));
  const keys = Object.entries(constants).flatMap(([name, inWords]) =>
    properties[name] === undefined ? [] : [inWords(properties[name])],
  );
  const rows = rowsOf({ properties: Object.fromEntries(own) });
  return rows.length === 0
    ? { keys: keys.join(", "), table: "" }
    : {
        keys: [keys.join(", "), "these fields"].filter(Boolean).join(", and "),
        table: tableOf(rows),
      };
};

/** A record's table; its settings have their own. */
const recordTable = ({ schema }: (typeof records)[number]): string => {
  const { properties = {} } = schema;
  const settings = settingsTables.find(({ names }) => names.some((name) => name in properties));
  const own = Object.entries(properties).filter(([name]) => !settings?.names.includes(name));
  const rows = tableOf(rowsOf({ properties: Object.fromEntries(own) }));
  return settings === undefined
    ? rows
    : `${rows}\n\nAnd the [settings](#${settings.at}) of the ${settings.of}.`;
};

/** The tables of the records, by their names; the settings of an organization have theirs. */
export const recordParts: Readonly<Record<string, () => string>> = Object.fromEntries(
  records
    .filter(({ at }) => at !== "settings")
    .map((record) => [record.name, () => recordTable(record)]),
);
