// Runs: always

import assert from "node:assert/strict";
import { test } from "node:test";
import { housedFiles } from "../../packaging/floors.ts";

/** Names that several files may export, and why. */
const allowed: Readonly<Record<string, string>> = {};

const EXPORT =
  /^export (?:async |abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** An operation, and the rule of the server that answers it, are two sides of one thing. */
const isAnswered = (
  files: ReadonlyMap<string, string>,
  name: string,
  places: readonly string[],
) => {
  const [operation = "", rule = ""] = places.toSorted();
  const declared = new RegExp(`^export const ${name} = operation\\(`, "m");
  return (
    places.length === 2 &&
    operation.startsWith("contract/") &&
    rule.startsWith("server/") &&
    declared.test(files.get(operation) ?? "")
  );
};

/** The names that several of these files export, each with its files. */
const ambiguous = (files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> => {
  const exported = [...files].flatMap(([file, text]) =>
    [...new Set([...text.matchAll(EXPORT)].map(([, name = ""]) => name))].map((name) => ({
      name,
      file,
    })),
  );
  const places = [...Map.groupBy(exported, ({ name }) => name)].map(
    ([name, found]) => [name, found.map(({ file }) => file)] as const,
  );
  return new Map(places.filter(([name, at]) => at.length > 1 && !isAnswered(files, name, at)));
};

test("an exported name means one thing, in contract, server and console", () => {
  const found = ambiguous(housedFiles());
  const unexpected = [...found].filter(([name]) => !(name in allowed));
  assert.deepEqual(Object.fromEntries(unexpected), {}, "rename one of each");
  const unused = Object.keys(allowed).filter((name) => !found.has(name));
  assert.deepEqual(unused, [], "no longer ambiguous: remove it from the list");
});

test("a name that two files export is found, except for an operation and its rule", () => {
  const found = (...files: [string, string][]) => [...ambiguous(new Map(files)).keys()];
  const rule: [string, string] = [
    "server/rooms/rooms.ts",
    "export const createRoom = async () => {};",
  ];
  const operation = "export const createRoom = operation({});";
  assert.deepEqual(found(rule, ["contract/rooms/rooms.ts", operation]), []);
  assert.deepEqual(found(rule, ["contract/rooms/rooms.ts", "export interface createRoom {}"]), [
    "createRoom",
  ]);
  assert.deepEqual(found(rule, ["server/bin/rooms.ts", "export function createRoom() {}"]), [
    "createRoom",
  ]);
});
