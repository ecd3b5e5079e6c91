// Runs: both

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createRoom as contract } from "../../contract/rooms/rooms.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import { startWorld } from "../world/world.ts";
import { newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);
const home = await newHome(world);
const names = ["alike", "Alike", "other"];
const COUNT = 1000;
let created: string[] = [];

before(async () => {
  const make = (n: number) => {
    const input = contract.input.parse({ name: names[n % 3], roomOwnerId: home.owner });
    return home.change((change) => createRoom(change, input));
  };
  // Created directly in the database, and many at once: waiting changes share commits.
  const records: string[] = [];
  while (records.length < COUNT) {
    const next = Array.from({ length: 20 }, (_, n) => make(records.length + n));
    records.push(...(await Promise.all(next)));
  }
  created = records.map((record) => JSON.parse(record).room).sort();
});

const page = async (query: string) => (await home.ask(`GET ${ROOMS}/paginated?${query}`)).body;
const roomsOf = (records: readonly RoomAnswer[]): string[] => records.map(({ room }) => room);

const walk = async (query: string, limit: number) => {
  const first = await page(`${query}&limit=${limit}`);
  const walked: RoomAnswer[] = [...first.roomSettings];
  for (let n = 2; n <= first.pagination.totalPages; n += 1) {
    const next = await page(`${query}&limit=${limit}&page=${n}`);
    assert.deepEqual({ ...next.pagination, page: 1 }, first.pagination);
    walked.push(...next.roomSettings);
  }
  const { total, totalPages }: Record<string, number> = first.pagination;
  return { walked, total, totalPages };
};

for (const [sortBy, keyOf] of [
  ["name", ({ name }: RoomAnswer) => name.toLowerCase()],
  ["createdAt", ({ createdAt }: RoomAnswer) => createdAt],
  ["updatedAt", ({ updatedAt }: RoomAnswer) => updatedAt],
] as const) {
  test(`pages by ${sortBy} hold each of 1,000 rooms once, and one order is the reverse of the other`, async () => {
    const up = await walk(`sortBy=${sortBy}&sortOrder=ASC`, 130);
    assert.deepEqual([up.total, up.totalPages], [COUNT, 8]);
    assert.deepEqual(roomsOf(up.walked).toSorted(), created);
    const keys = up.walked.map(keyOf);
    assert.deepEqual(keys, keys.toSorted());
    const down = await walk(`sortBy=${sortBy}&sortOrder=DESC`, 99);
    assert.deepEqual(roomsOf(down.walked), roomsOf(up.walked).toReversed());
  });
}

test("pages of a search have each matching room once", async () => {
  const { walked, total, totalPages } = await walk("search=LIKE", 60);
  assert.deepEqual([total, totalPages], [667, 12]);
  assert.equal(new Set(roomsOf(walked)).size, 667);
  assert.ok(walked.every(({ name }) => name !== "other"));
});

test("pages of one person's rooms have each room once", async () => {
  const { walked, total } = await walk(`userFilter=${home.owner}`, 300);
  assert.equal(total, COUNT);
  assert.deepEqual(roomsOf(walked).toSorted(), created);
});

test("a page of 1,000 is streamed, and equals the small pages", async () => {
  const { headers, body } = await home.ask(`GET ${ROOMS}/paginated?limit=1000`);
  assert.equal(headers.get("content-length"), null);
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.deepEqual(body.pagination, { page: 1, limit: 1000, total: COUNT, totalPages: 1 });
  assert.deepEqual(body.roomSettings, (await walk("sortBy=name", 200)).walked);
});

test("a page may start in the middle, or be larger than the list", async () => {
  const { walked } = await walk("sortBy=name", 500);
  const second = await page("limit=400&page=2");
  assert.deepEqual(second.roomSettings, walked.slice(400, 800));
  const last = await page("limit=400&page=3");
  assert.deepEqual(last.roomSettings, walked.slice(800));
  const most = await page("limit=5000&sortOrder=DESC");
  assert.deepEqual(most.roomSettings, walked.toReversed());
});

test("rooms created while a page is streamed do not disturb it", async () => {
  const asked = Promise.all(Array.from({ length: 4 }, () => page("limit=3000&search=other")));
  const more = Array.from({ length: 20 }, () => home.room({ name: "alike too" }));
  for (const { roomSettings, pagination } of await asked) {
    assert.deepEqual([roomSettings.length, pagination.total], [333, 333]);
    assert.equal(new Set(roomsOf(roomSettings)).size, 333);
  }
  await Promise.all(more);
});
