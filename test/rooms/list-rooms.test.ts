// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask } from "../world/ask.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { listFailure, types } from "./expected.ts";
import { type Home, newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);
const list = (ask: Ask, query: string | Record<string, string> = "") =>
  ask(`GET ${ROOMS}/paginated?${typeof query === "string" ? query : new URLSearchParams(query)}`);
const namesOf = (records: readonly RoomAnswer[]) => records.map(({ name }) => name);
/** Rooms with these names, created one after the other: their IDs are in this order. */
const makeAll = async ({ room }: Home, names: readonly string[]) => {
  const made: RoomAnswer[] = [];
  for (const name of names) made.push(await room({ name }));
  return made;
};

test("a list without parameters is page 1 of 25 by name, with whole records", async () => {
  const home = await newHome(world);
  const rooms = await makeAll(home, ["Board", "Atrium", "Cellar"]);
  const { status, body } = await list(home.ask);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    type: types.list,
    success: true,
    roomSettings: [rooms[1], rooms[0], rooms[2]],
    pagination: { page: 1, limit: 25, total: 3, totalPages: 1 },
  });
});

test("an organization without rooms has an empty list of no pages", async () => {
  const { ask } = await newHome(world);
  for (const query of ["", "search=x", "userFilter=x", "page=7"]) {
    const { status, body } = await list(ask, query);
    const { page } = body.pagination;
    const pagination = { page, limit: 25, total: 0, totalPages: 0 };
    assert.deepEqual([status, body.roomSettings, body.pagination], [200, [], pagination]);
  }
});

test("each sort field works in both orders, with equal values in the order of their IDs", async () => {
  const home = await newHome(world);
  const names = ["b", "C", "ä", "b", "A", "Z", "_", "b"];
  const rooms = await makeAll(home, names);
  const updated = rooms.map(({ updatedAt }) => updatedAt);
  for (const n of [5, 0, 3]) {
    const { room } = rooms[n] ?? {};
    const { body } = await home.ask(`PUT ${ROOMS}`, { room, roomOwnerId: home.owner });
    updated[n] = body.roomSetting.updatedAt;
  }
  const byName = [6, 4, 0, 3, 7, 1, 5, 2];
  const byCreation = [0, 1, 2, 3, 4, 5, 6, 7];
  // Changes within one millisecond are equal.
  const byUpdate = byCreation.toSorted((a, b) =>
    (updated[a] ?? "").localeCompare(updated[b] ?? ""),
  );
  for (const [sortBy, order] of Object.entries({
    name: byName,
    createdAt: byCreation,
    updatedAt: byUpdate,
  })) {
    const expected = order.map((n) => rooms[n]?.room);
    const ordered = async (sortOrder: string) =>
      (await list(home.ask, { sortBy, sortOrder })).body.roomSettings.map(
        ({ room }: RoomAnswer) => room,
      );
    assert.deepEqual(await ordered("ASC"), expected, sortBy);
    assert.deepEqual(await ordered("DESC"), expected.toReversed(), sortBy);
    assert.deepEqual(await ordered(""), expected, sortBy);
  }
});

test("pages divide the sorted list, the last one has the rest, and pages beyond are empty", async () => {
  const home = await newHome(world);
  await makeAll(home, ["a", "b", "c", "d", "e"]);
  const table = [
    ["page=1&limit=2", ["a", "b"], 1, 2, 3],
    ["page=2&limit=2", ["c", "d"], 2, 2, 3],
    ["page=3&limit=2", ["e"], 3, 2, 3],
    ["page=4&limit=2", [], 4, 2, 3],
    ["page=1&limit=5", ["a", "b", "c", "d", "e"], 1, 5, 1],
    ["page=2", [], 2, 25, 1],
    ["page=03&limit=001", ["c"], 3, 1, 5],
    ["page=9007199254740991&limit=2", [], 9007199254740991, 2, 3],
    ["page=9007199254740991&limit=9007199254740991", [], 2 ** 53 - 1, 2 ** 53 - 1, 1],
    ["limit=9007199254740991", ["a", "b", "c", "d", "e"], 1, 2 ** 53 - 1, 1],
  ] as const;
  for (const [query, names, page, limit, totalPages] of table) {
    const { status, body } = await list(home.ask, query);
    const pagination = { page, limit, total: 5, totalPages };
    assert.deepEqual([status, namesOf(body.roomSettings)], [200, names], query);
    assert.deepEqual(body.pagination, pagination);
  }
});

test("an empty parameter counts as omitted", async () => {
  const home = await newHome(world);
  await makeAll(home, ["b", "a"]);
  const { text } = await list(home.ask);
  const empty = ["page=&limit=&sortBy=&sortOrder=&search=&userFilter=", "page", "page=&limit=25"];
  for (const query of empty) {
    const answer = await list(home.ask, query);
    assert.deepEqual([answer.status, answer.text], [200, text], query);
  }
});

test("page and limit that are not whole numbers from 1 are refused with the interface's text", async () => {
  const { ask } = await newHome(world);
  const message = "Invalid pagination parameters";
  const wrong = ["0", "-1", "1.5", "1e3", "abc", "NaN", "%2B1", "%201", "0x1", "9007199254740992"];
  for (const field of ["page", "limit"]) {
    const errors = [{ field, message: `${field} must be a whole number from 1` }];
    const expected = listFailure("invalid_pagination", message, errors);
    const queries = [...wrong, "99999999999999999999", "null", "1,2"].map((v) => `${field}=${v}`);
    for (const query of [...queries, `${field}=1&${field}=2`, `${field}=1&${field}=`]) {
      const { status, body } = await list(ask, query);
      assert.deepEqual([status, saidBody(body)], [400, expected], query);
    }
  }
  const both = ["page", "limit"].map((field) => ({
    field,
    message: `${field} must be a whole number from 1`,
  }));
  const { body } = await list(ask, "page=0&limit=0");
  assert.deepEqual(saidBody(body), listFailure("invalid_pagination", message, both));
});

test("an unknown sort field or order is refused, and case counts", async () => {
  const { ask } = await newHome(world);
  const field = "Invalid sort field. Allowed fields: name, createdAt, updatedAt";
  const order = "Invalid sort order. Must be ASC or DESC";
  const fields = ["Name", "created_at", "id", "roomType", "__proto__", "toString", "name,id", "1"];
  for (const value of fields) {
    const { status, body } = await list(ask, { sortBy: value });
    const errors = [{ field: "sortBy", message: field }];
    assert.deepEqual(
      [status, saidBody(body)],
      [400, listFailure("invalid_room_sort_field", field, errors)],
    );
  }
  for (const value of ["asc", "Desc", "ASC ", "ascending", "1", "constructor", "ASC;--"]) {
    const { status, body } = await list(ask, { sortOrder: value });
    const errors = [{ field: "sortOrder", message: order }];
    assert.deepEqual(
      [status, saidBody(body)],
      [400, listFailure("invalid_sort_order", order, errors)],
    );
  }
});

test("all wrong parameters are reported, with the interface's text", async () => {
  const { ask } = await newHome(world);
  const { status, body } = await list(ask, `sortBy=x&limit=0&search=${"x".repeat(201)}`);
  const said = "Invalid pagination parameters";
  const expected = listFailure("invalid_pagination", said, [
    { field: "limit", message: "limit must be a whole number from 1" },
    {
      field: "sortBy",
      message: "Invalid sort field. Allowed fields: name, createdAt, updatedAt",
    },
    { field: "search", message: "search must be text of at most 200 characters" },
  ]);
  assert.deepEqual([status, saidBody(body)], [400, expected]);
});

test("an unknown parameter is ignored and named", async () => {
  const { ask } = await newHome(world);
  const { status, headers } = await list(ask, "pag=2&__proto__=1&organizationId=x&limit=10");
  assert.equal(status, 200);
  assert.equal(headers.get("parley-ignored"), "pag, __proto__, organizationId");
  assert.equal((await list(ask, "limit=10")).headers.get("parley-ignored"), null);
});

test("rooms of another organization are in no list and no total", async () => {
  const [one, two] = [await newHome(world), await newHome(world)];
  const [ours] = await makeAll(one, ["SENTINEL"]);
  await makeAll(two, ["SENTINEL", "SENTINEL"]);
  for (const query of ["", "search=sentinel", "limit=1000", "sortBy=createdAt&sortOrder=DESC"]) {
    const { body } = await list(one.ask, query);
    assert.deepEqual([body.roomSettings, body.pagination.total], [[ours], 1], query);
  }
  const { body } = await list(one.ask, { userFilter: two.owner });
  assert.deepEqual([body.roomSettings, body.pagination.total], [[], 0]);
});
