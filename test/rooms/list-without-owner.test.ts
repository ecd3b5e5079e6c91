import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask } from "../world/ask.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { about, listFailure } from "./expected.ts";
import { type Home, newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);

const list = async (ask: Ask, query: string) => {
  const { status, body, text } = await ask(`GET ${ROOMS}/paginated?${query}`);
  assert.equal(status, 200, text);
  const names: string[] = body.roomSettings.map(({ name }: RoomAnswer) => name);
  return { names, pagination: body.pagination };
};

/** Creates rooms whose only owner is then deleted for good. */
const abandon = async (home: Home, names: readonly string[]): Promise<void> => {
  const { id } = await home.person();
  for (const name of names) await home.room({ name, roomOwnerId: id });
  const people = await home.ask("POST /api/user/revokeOrgUsers", [{ userId: id }]);
  const gone = await home.ask("POST /api/user/permDeleteOrgUsers", [id]);
  assert.deepEqual([people.status, gone.status], [200, 200]);
};

test("withoutOwner=true lists only the rooms that nobody owns, for administrators and access keys", async () => {
  const [home, other] = [await newHome(world), await newHome(world)];
  const admin = await home.person({ admin: true });
  const ann = await home.person();
  await abandon(home, ["d", "b"]);
  await abandon(other, ["c"]);
  await home.room({ name: "a" });
  await home.room({ name: "c", roomOwnerId: `${ann.id},${admin.id}` });
  for (const { ask } of [home, admin]) {
    const { names, pagination } = await list(ask, "withoutOwner=true");
    assert.deepEqual(names, ["b", "d"]);
    assert.deepEqual(pagination, { page: 1, limit: 25, total: 2, totalPages: 1 });
    for (const query of ["", "withoutOwner=", "withoutOwner", "withoutOwner=false"]) {
      assert.deepEqual((await list(ask, query)).names, ["a", "b", "c", "d"], query);
    }
  }
  const { names, pagination } = await list(ann.ask, "withoutOwner=true");
  assert.deepEqual([names, pagination.total], [[], 0], "she owns the rooms that she sees");
});

test("rooms whose owners are all revoked are among them, until one is reactivated", async () => {
  const home = await newHome(world);
  const [ann, bob] = [await home.person(), await home.person()];
  await home.room({ name: "a", roomOwnerId: ann.id });
  await home.room({ name: "b", roomOwnerId: `${ann.id},${bob.id}` });
  await home.room({ name: "c" });
  const revoke = (userId: string) =>
    home.ask("POST /api/user/revokeOrgUsers", [{ userId }]).then(({ status }) => status);
  const found = async () => (await list(home.ask, "withoutOwner=true")).names;
  await home.ask("POST /api/user/suspendRestoreUser", { userId: ann.id, action: "suspend" });
  assert.deepEqual(await found(), [], "who is suspended owns them");
  assert.equal(await revoke(ann.id), 200);
  assert.deepEqual(await found(), ["a"]);
  assert.equal(await revoke(bob.id), 200);
  const { names, pagination } = await list(home.ask, "withoutOwner=true&search=A");
  assert.deepEqual([names, pagination.total], [["a"], 1]);
  assert.deepEqual(await found(), ["a", "b"]);
  const theirs = await list(home.ask, `withoutOwner=true&userFilter=${bob.id}`);
  assert.deepEqual(theirs.names, ["b"]);
  const back = await home.ask("POST /api/user/reactivateOrgUser", { userId: bob.id });
  assert.equal(back.status, 200);
  assert.deepEqual(await found(), ["a"]);
});

test("a room that gets an owner leaves the list of rooms without one", async () => {
  const home = await newHome(world);
  await abandon(home, ["a", "b"]);
  const { body } = await home.ask(`GET ${ROOMS}/paginated`);
  const { room } = body.roomSettings[0];
  const given = await home.ask(`PUT ${ROOMS}`, { room, roomOwnerId: home.owner });
  assert.equal(given.status, 200);
  const { names, pagination } = await list(home.ask, "withoutOwner=true");
  assert.deepEqual([names, pagination.total], [["b"], 1]);
});

test("rooms without an owner have pages, orders and a search like any other list", async () => {
  const home = await newHome(world);
  const names = Array.from({ length: 12 }, (_, n) => `Hall ${String(n).padStart(2, "0")}`);
  await abandon(home, [...names, "Cellar"]);
  for (let n = 0; n < 12; n += 1) await home.room({ name: `Hall ${n} of somebody` });
  const table = [
    ["search=HALL&limit=5&page=1", names.slice(0, 5), 12, 3],
    ["search=HALL&limit=5&page=3", names.slice(10), 12, 3],
    ["search=HALL&limit=5&page=4", [], 12, 3],
    ["sortOrder=DESC&limit=6&page=2", names.slice(0, 6).toReversed(), 13, 3],
    ["sortBy=createdAt&limit=12", names, 13, 2],
    ["sortBy=updatedAt&sortOrder=DESC&limit=1&page=13", ["Hall 00"], 13, 13],
    ["search=11&limit=200", ["Hall 11"], 1, 1],
    ["limit=1000", ["Cellar", ...names], 13, 1],
    [`userFilter=${home.owner}`, [], 0, 0],
  ] as const;
  for (const [query, expected, total, totalPages] of table) {
    const { names: found, pagination } = await list(home.ask, `withoutOwner=true&${query}`);
    assert.deepEqual(found, expected, query);
    assert.deepEqual([pagination.total, pagination.totalPages], [total, totalPages], query);
  }
});

test("a withoutOwner other than true and false is refused by name", async () => {
  const { ask } = await newHome(world);
  for (const query of [
    "withoutOwner=1",
    "withoutOwner=True",
    "withoutOwner=true&withoutOwner=true",
  ]) {
    const { status, body } = await ask(`GET ${ROOMS}/paginated?${query}`);
    const said = about("withoutOwner", "must be true or false");
    assert.deepEqual([status, saidBody(body)], [400, listFailure(...said)], query);
  }
});
