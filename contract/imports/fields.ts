import type { z } from "zod";
import { toLine, toLines } from "../kit/plain.ts";
import { isList } from "../kit/setting.ts";
import { userSettings } from "../people/settings.ts";
import { allSettings } from "../rooms/settings.ts";
import type { ImportKind } from "./imports.ts";

/*
 * The fields of people and rooms in files, shared by imports and exports: those of the interface.
 */

type Type = "text" | "flag" | "number" | "list";

type Settings = typeof userSettings | typeof allSettings;

const typesOf = (settings: Settings) =>
  Object.entries(settings).map(([name, one]): readonly [string, Type] => {
    const { initial } = one;
    if (isList(one)) return [name, "list"];
    if (typeof initial === "boolean") return [name, "flag"];
    return [name, typeof initial === "number" ? "number" : "text"];
  });

/** The fields of a file in order, each with the content of its cells. */
export const importFields: Readonly<Record<ImportKind, ReadonlyMap<string, Type>>> = {
  users: new Map<string, Type>([
    ["id", "text"],
    ["email", "text"],
    ["name", "text"],
    ...typesOf(userSettings),
    // Beside the record, which has neither (interface.md, User).
    ["language", "text"],
    ["mustChoosePassword", "flag"],
    ["accountSuspended", "flag"],
    ["accountDeleted", "flag"],
  ]),
  rooms: new Map<string, Type>([
    ["room", "text"],
    ["name", "text"],
    ["roomOwnerId", "text"],
    ...typesOf(allSettings),
  ]),
};

/** Other fields of answers, which a file may contain: skipped silently. */
export const skippedFields: ReadonlySet<string> = new Set([
  "username",
  "createdAt",
  "updatedAt",
  "profileId",
  "rooms",
  "roomIds",
  "owners",
  "roomStatus",
  "totalCallTime",
  "_id",
  "userId",
  "siteSetting",
]);

/** How a free text that others see is cleaned; undefined for every other value. */
const cleanerOf = ({ create }: { readonly create: z.ZodType }) => {
  const takes = (text: string): boolean =>
    create.safeParse(text).success || create.safeParse([text]).success;
  if (!takes("a") || takes("a\u0007")) return undefined;
  return takes("a\nb") ? toLines : toLine;
};

const settings: ReadonlyMap<string, { readonly create: z.ZodType }> = new Map(
  Object.entries({ ...userSettings, ...allSettings }),
);

const cleaners = new Map<string, ((text: string) => string) | undefined>([["name", toLine]]);

/** How a field's text is cleaned, found at its first use: each schema has to parse for that. */
const cleanerFor = (name: string): ((text: string) => string) | undefined => {
  if (!cleaners.has(name)) {
    const setting = settings.get(name);
    cleaners.set(name, setting && cleanerOf(setting));
  }
  return cleaners.get(name);
};

/**
 * A field's value as it is imported. Files have names with line ends, and other services names with
 * characters that are refused here: they are removed.
 */
export const toImported = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => toImported(name, one));
  return typeof value === "string" ? (cleanerFor(name)?.(value) ?? value) : value;
};

/**
 * An answered record as a line of a file: only fields of files, settings in the form of requests.
 */
export const toFields = (
  kind: ImportKind,
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const { roomPermalink, ...others } = record;
  const named: Readonly<Record<string, unknown>> =
    roomPermalink === undefined ? others : { ...others, roomPermaLink: roomPermalink };
  return Object.fromEntries(
    [...importFields[kind]].flatMap(([name, type]) => {
      const value = named[name];
      if (value === undefined) return [];
      return [[name, type === "flag" && typeof value === "string" ? value === "true" : value]];
    }),
  );
};
