// Runs: always

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { emptyRooms, faultsOf, floorsTable, housedFiles } from "../../packaging/floors.ts";

test("every file stands on a floor, and imports from its own room and the floors below only", () => {
  const files = housedFiles();
  assert.deepEqual(faultsOf(files), []);
  assert.deepEqual(emptyRooms(files.keys()), []);
});

test("the house is small: at most 36 rooms on 14 floors in the server, and a list of 100 lines", () => {
  const list = readFileSync(new URL("../../floors.json", import.meta.url), "utf8");
  const { server }: Record<string, readonly object[]> = JSON.parse(list);
  const rooms = (server ?? []).flatMap((floor) => Object.keys(floor));
  assert.ok((server ?? []).length <= 14, "floors");
  assert.ok(rooms.length <= 36, "rooms");
  assert.ok(list.trimEnd().split("\n").length <= 100, "lines");
});

test("an import that goes up, or to a room of the same floor, is found, also a type or a dynamic one", () => {
  const faults = (file: string, text: string) => faultsOf(new Map([[file, text]])).length;
  assert.equal(faults("server/rooms/x.ts", 'import { y } from "../records/y.ts";'), 0);
  assert.equal(faults("server/records/x.ts", 'import { y } from "../rooms/y.ts";'), 1);
  assert.equal(faults("server/records/x.ts", 'import type { Y } from "../mail/y.ts";'), 1);
  assert.equal(faults("server/lib/x.ts", 'await import("../http/app.ts");'), 1);
  assert.equal(faults("server/meetings/state/x.ts", 'export * from "../doors/join.ts";'), 1);
  assert.equal(faults("server/meetings/x.ts", ""), 1);
});

test("the architecture shows the floors as they are", () => {
  const text = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
  assert.ok(text.includes(floorsTable()), "npm run reference writes them");
});
