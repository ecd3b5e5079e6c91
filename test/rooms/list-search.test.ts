// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask } from "../world/ask.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { about, listFailure, types } from "./expected.ts";
import { newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);

/** The names in a list; checks that its total agrees. */
const found = async (ask: Ask, query: Record<string, string>): Promise<string[]> => {
  const { status, body } = await ask(`GET ${ROOMS}/paginated?${new URLSearchParams(query)}`);
  assert.equal(status, 200);
  assert.equal(body.pagination.total, body.roomSettings.length);
  return body.roomSettings.map(({ name }: RoomAnswer) => name);
};

const homeWith = async (names: readonly string[]) => {
  const home = await newHome(world);
  await Promise.all(names.map((name) => home.room({ name })));
  return home;
};

test("a search finds its text literally, anywhere in a name", async () => {
  const names = [
    "50% off",
    "50 off",
    "a_b",
    "axb",
    "c\\d",
    "c\\\\d",
    "it's",
    'say "x"',
    "a  b",
    "--;",
  ];
  const { ask } = await homeWith(names);
  const table = [
    ["%", ["50% off"]],
    ["50%", ["50% off"]],
    ["%%", []],
    ["_", ["a_b"]],
    ["a_b", ["a_b"]],
    ["\\", ["c\\\\d", "c\\d"]],
    ["\\\\", ["c\\\\d"]],
    ["\\d", ["c\\\\d", "c\\d"]],
    ["'", ["it's"]],
    ["''", []],
    ['"', ['say "x"']],
    [" ", ["50 off", "50% off", "a  b", 'say "x"']],
    ["  ", ["a  b"]],
    ["off", ["50 off", "50% off"]],
    ["*", []],
    [".", []],
    ["[a-z]", []],
    ["' or 1=1 --", []],
    [";", ["--;"]],
  ] as const;
  for (const [search, expected] of table) {
    assert.deepEqual((await found(ask, { search })).toSorted(), expected.toSorted(), search);
  }
});

test("a search ignores case, far beyond ASCII, and how a letter is composed", async () => {
  const table = [
    ["Board Room", "bOARD rOOM"],
    ["İstanbul", "i̇STANBUL"],
    ["DIYARBAKIR north", "diyarbakir N"],
    ["STRAẞE", "straße"],
    ["273 \u212a", "273 k"],
    ["Elvin \u212a", "ELVIN K"],
    ["\u01c4ep", "\u01c6EP"],
    ["\u01c5un", "d\u017eUN"],
    ["ＦＵＬＬ width", "full"],
    ["half", "ｈａｌｆ"],
    ["caf\u00e9", "CAFE\u0301"],
    ["re\u0301sume\u0301", "R\u00c9SUM\u00c9"],
    ["ﬁre", "FIR"],
    ["ДОМ", "дом"],
    ["ΩΜΕΓΑ", "ωμεγα"],
    ["\u{10400}\u{10401}", "\u{10428}\u{10429}"],
    ["x\u{1f3a5}y", "\u{1f3a5}Y"],
  ] as const;
  const { ask } = await homeWith(table.map(([name]) => name));
  for (const [name, search] of table) {
    for (const asked of [search, name]) {
      assert.deepEqual(await found(ask, { search: asked }), [name], asked);
    }
  }
});

test("a search has at most 200 characters, counted as people count them", async () => {
  const { ask } = await homeWith(["x".repeat(200)]);
  assert.equal((await found(ask, { search: "x".repeat(200) })).length, 1);
  assert.deepEqual(await found(ask, { search: "\u{1f3a5}".repeat(200) }), []);
  for (const search of ["x".repeat(201), "\u{1f3a5}".repeat(201)]) {
    const { status, body } = await ask(`GET ${ROOMS}/paginated?${new URLSearchParams({ search })}`);
    const said = about("search", "must be text of at most 200 characters");
    assert.deepEqual([status, saidBody(body)], [400, listFailure(...said)]);
  }
  for (const search of ["a%00b", "%00"]) {
    const { status, body } = await ask(`GET ${ROOMS}/paginated?search=${search}`);
    const said = about("search", "must be text without U+0000 and unpaired surrogates");
    assert.deepEqual([status, saidBody(body)], [400, listFailure(...said)]);
  }
  const { status } = await ask(`GET ${ROOMS}/paginated?search=a&search=b`);
  assert.equal(status, 400);
});

test("a name that grows when it is folded is kept, found and listed", async () => {
  const { ask } = await homeWith(["\ufdfa".repeat(200), "other"]);
  assert.deepEqual(await found(ask, { search: "\ufdfa" }), ["\ufdfa".repeat(200)]);
  assert.equal((await found(ask, {})).length, 2);
});

test("userFilter shows an administrator the rooms of one person, even with a search", async () => {
  const home = await newHome(world);
  const [ann, bob] = [await home.person(), await home.person()];
  const admin = await home.person({ admin: true });
  await home.room({ name: "a", roomOwnerId: ann.id });
  await home.room({ name: "b", roomOwnerId: `${bob.id},${ann.id}` });
  await home.room({ name: "c", roomOwnerId: bob.id });
  const table = [
    [ann.id, "", ["a", "b"]],
    [bob.id, "", ["b", "c"]],
    [bob.id, "B", ["b"]],
    [ann.id, "c", []],
    [home.owner, "", []],
    ["unknown", "", []],
    ["", "", ["a", "b", "c"]],
  ] as const;
  for (const [userFilter, search, expected] of table) {
    for (const { ask } of [home, admin]) {
      assert.deepEqual(await found(ask, { userFilter, search }), expected);
    }
  }
});

test("a person without admin sees the rooms that they own, and no others", async () => {
  const home = await newHome(world);
  const [ann, bob] = [await home.person(), await home.person()];
  const none = await home.person();
  await home.room({ name: "a", roomOwnerId: ann.id });
  await home.room({ name: "b", roomOwnerId: `${bob.id},${ann.id}` });
  await home.room({ name: "c", roomOwnerId: bob.id });
  assert.deepEqual(await found(ann.ask, {}), ["a", "b"]);
  assert.deepEqual(await found(ann.ask, { userFilter: ann.id }), ["a", "b"]);
  assert.deepEqual(await found(ann.ask, { search: "c" }), []);
  assert.deepEqual(await found(ann.ask, { userFilter: bob.id }), ["b"]);
  assert.deepEqual(await found(bob.ask, { userFilter: ann.id }), ["b"]);
  assert.deepEqual(await found(ann.ask, { userFilter: bob.id, search: "B" }), ["b"]);
  assert.deepEqual(await found(ann.ask, { userFilter: bob.id, search: "c" }), []);
  assert.deepEqual(await found(none.ask, { userFilter: bob.id }), []);
  assert.deepEqual(await found(ann.ask, { userFilter: "unknown" }), []);
  assert.deepEqual(await found(none.ask, {}), []);
  const { body } = await ann.ask(`GET ${ROOMS}/paginated?limit=1&page=2&sortOrder=DESC`);
  assert.deepEqual(body.pagination, { page: 2, limit: 1, total: 2, totalPages: 2 });
  assert.equal(body.type, types.list);
});

test("every page of a search has the same exact total, in each order and beyond the end", async () => {
  const names = Array.from({ length: 7 }, (_, at) => [`Böard ${at}`, `other ${at}`]).flat();
  const { ask, owner } = await homeWith(names);
  const filters = [{ search: "board" }, { search: "b", userFilter: owner }, { find: "board" }];
  for (const filter of filters) {
    for (const sortBy of ["name", "createdAt", "naturalName"]) {
      for (const sortOrder of ["ASC", "DESC"]) {
        const seen: string[] = [];
        for (const page of [1, 2, 3, 4, 5]) {
          const { body } = await ask("listRooms", { ...filter, sortBy, sortOrder, page, limit: 3 });
          assert.equal(body.pagination.total, 7);
          seen.push(...body.roomSettings.map(({ name }: RoomAnswer) => name));
        }
        const rising = names.filter((name) => name.startsWith("B"));
        if (sortBy === "createdAt") assert.equal(new Set(seen).size, 7);
        else assert.deepEqual(seen, sortOrder === "ASC" ? rising : rising.toReversed());
      }
    }
  }
});
