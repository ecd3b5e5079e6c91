import { globSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import floors from "../floors.json" with { type: "json" };
import { root } from "./folder.ts";

/*
 * The floors of the house. `floors.json` lists them from the ground up: the rooms of each floor
 * (folders, subfolders, or single files), and what each is for. A floor imports from those below
 * it, types included; the rooms of one floor do not import each other.
 */

type Floor = Readonly<Record<string, string>>;
const parts: Readonly<Record<string, readonly Floor[]>> = floors;

/** A part's rooms with their floors, from 0. */
const placesOf = (part: string): ReadonlyMap<string, number> =>
  new Map(
    (parts[part] ?? []).flatMap((floor, at) =>
      Object.keys(floor).map((room) => [room, at] as const),
    ),
  );

const places = new Map(Object.keys(parts).map((part) => [part, placesOf(part)]));

/** A file's part and room; no room if the list has none for it. */
const roomOf = (file: string): { readonly part: string; readonly room: string | undefined } => {
  const [part = "", ...path] = file.split("/");
  const rooms = places.get(part);
  const names = path.map((_, at) => path.slice(0, at + 1).join("/"));
  return { part, room: names.findLast((name) => rooms?.has(name)) };
};

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g;

/**
 * Imports that do not go down.
 *
 * @param files the texts of files by their path from the root
 * @returns a line for each fault
 */
export const faultsOf = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files].flatMap(([file, text]) => {
    const { part, room } = roomOf(file);
    const at = places.get(part)?.get(room ?? "");
    if (room === undefined || at === undefined) return [`${file} stands in no room of floors.json`];
    return [...text.matchAll(IMPORT)].flatMap(([, path = ""]) => {
      const target = posix.join(posix.dirname(file), path);
      const other = roomOf(target);
      if (other.part !== part || other.room === room || other.room === undefined) return [];
      const below = places.get(part)?.get(other.room) ?? 0;
      return below < at ? [] : [`${file} imports ${target}, which is not on a floor below`];
    });
  });

/** The texts of all files on floors. */
export const housedFiles = (): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(parts)
      .flatMap((part) => globSync(`${part}/**/*.{ts,tsx}`, { cwd: root }))
      .map((file) => file.split(sep).join("/"))
      .filter((file) => !file.startsWith("console/dist/"))
      .map((file) => [file, readFileSync(`${root}/${file}`, "utf8")]),
  );

/** Listed rooms without a file. */
export const emptyRooms = (files: Iterable<string>): readonly string[] => {
  const used = new Set([...files].map((file) => Object.values(roomOf(file)).join("/")));
  return [...places].flatMap(([part, rooms]) =>
    [...rooms.keys()].map((room) => `${part}/${room}`).filter((room) => !used.has(room)),
  );
};

/** The floors as tables, the highest first, for docs/architecture.md. */
export const floorsTable = (): string =>
  Object.entries(parts)
    .toReversed()
    .map(([part, list]) => {
      const rows = list.toReversed().map((floor, at) => {
        const rooms = Object.entries(floor).map(([room, is]) => `\`${room}\`: ${is}`);
        return `| ${list.length - at} | ${rooms.join("; ")} |`;
      });
      return [`| Floor | \`${part}/\` |`, "|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
