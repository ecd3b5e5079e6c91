import type { ImportKind } from "../../../contract/imports/imports.ts";
import { reason } from "../../../contract/kit/reasons.ts";
import { refuseFile } from "./fault.ts";
import { knownHeading } from "./headings.ts";
import { ROWS, type SheetRow } from "./table.ts";

/* Entries of JSON: an array of objects, an object around one, or an object on each line. */

type Entry = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The names of lists in answers and exports, the likeliest first. */
const lists: Readonly<Record<ImportKind, readonly string[]>> = {
  users: [
    "users",
    "people",
    "members",
    "accounts",
    "persons",
    "Resources",
    "value",
    "data",
    "items",
  ],
  rooms: ["roomSettings", "rooms", "meetings", "conferences", "value", "data", "items"],
};

/** The array of objects in an object, at most two levels deep. */
const listIn = (kind: ImportKind, around: Entry, depth = 2): readonly unknown[] | undefined => {
  const named = lists[kind].map((name) => (Object.hasOwn(around, name) ? around[name] : undefined));
  const arrays = [...named, ...Object.values(around)].filter((value) => Array.isArray(value));
  const found = arrays.find((array) => array.some(isObject)) ?? arrays[0];
  if (found !== undefined || depth === 0) return found;
  return Object.values(around)
    .filter(isObject)
    .map((inner) => listIn(kind, inner, depth - 1))
    .find((list) => list !== undefined);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** One object on each line. */
const entriesOfLines = (text: string): readonly unknown[] | undefined => {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  if (!lines[0]?.trimStart().startsWith("{")) return undefined;
  const entries = lines.map(parsed);
  return entries.every(isObject) ? entries : undefined;
};

const entriesOf = (kind: ImportKind, text: string): readonly unknown[] => {
  const value = parsed(text);
  const lines = value === undefined || isObject(value) ? entriesOfLines(text) : undefined;
  if (value === undefined) return lines ?? refuseFile("file_not_json");
  if (Array.isArray(value)) return value;
  const list = isObject(value) ? listIn(kind, value) : undefined;
  if (list !== undefined) return list;
  const isEntry = isObject(value) && Object.keys(value).some((key) => knownHeading(kind, key));
  if (isEntry) return [value];
  return refuseFile("file_not_list");
};

/** Nested objects of other products: merged into the entry, unless a name is taken. */
const INNER = ["profile", "attributes", "name", "room_settings", "emails"] as const;

const flat = (entry: Entry): Entry => {
  const cells = new Map<string, unknown>();
  for (const [key, value] of Object.entries(entry)) {
    if (key === "emails" && Array.isArray(value) && value.some(isObject)) {
      const main = value.find((one) => isObject(one) && one.primary === true) ?? value[0];
      if (isObject(main)) cells.set("email", main.value ?? main.address);
    } else if (!isObject(value) || !INNER.some((name) => name === key)) cells.set(key, value);
  }
  for (const key of INNER) {
    const inner = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (!isObject(inner)) continue;
    for (const [name, value] of Object.entries(inner)) {
      const one =
        key === "attributes" && Array.isArray(value) && value.length === 1 ? value[0] : value;
      if (!cells.has(name)) cells.set(name, one);
    }
  }
  return Object.fromEntries(cells);
};

/** An entry of JSON by its own names. */
export interface JsonRow extends Omit<SheetRow, "cells"> {
  readonly entry: Entry;
}

/** The entries of a JSON text. @throws FileFault if it has no list of objects */
export const rowsOfJson = (kind: ImportKind, given: string): readonly JsonRow[] =>
  entriesOf(kind, given.replace(/^\uFEFF/, ""))
    .slice(0, ROWS)
    .map((entry, index) => {
      const line = index + 1;
      if (isObject(entry)) return { line, entry: flat(entry) };
      return { line, entry: {}, fault: reason("line_not_object") };
    });
