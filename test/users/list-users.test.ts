// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { onlyEntry, pagePromises, statesIn } from "./page-promises.ts";
import { create, loginUrl, newPerson, revoke, suspend } from "./people.ts";
import { searchPromises } from "./search-promises.ts";

const { organization } = await startWorld(test);
const own = await organization("Listing");
const { ask } = own;
const request = "POST /api/user/fetchOrgUsersWithPagination" as const;

const list = { request, revoked: false, organization: own };
pagePromises(list);
searchPromises(list);

test("an entry has exactly its sixteen keys, rooms and roomIds in the same order, by name", async () => {
  const { password, ...person } = await create(ask, { role: "owner", displayRating: true });
  const rooms = [];
  for (const name of ["beta", "Alpha", "gamma"]) {
    const { body } = await ask("POST /api/roomSetting", { name, roomOwnerId: person.id });
    rooms.push(body.roomSetting.room);
  }
  assert.deepEqual(await onlyEntry(list, "owner"), {
    ...person,
    displayRating: true,
    rooms: ["Alpha", "beta", "gamma"],
    roomIds: [rooms[1], rooms[0], rooms[2]],
  });
});

test("a room with several owners is listed with each of them, a deleted one with none", async () => {
  const [a, b] = [await create(ask, { role: "sharer" }), await create(ask, { role: "sharer" })];
  const roomOwnerId = `${a.id},${b.id}`;
  const shared = await ask("POST /api/roomSetting", {
    name: "Shared",
    roomOwnerId,
    room: "shared",
  });
  assert.equal(shared.status, 201);
  const owned = async () =>
    (await ask(request, { role: "sharer" })).body.users.map(
      (user: { readonly roomIds: string[] }) => [...user.roomIds],
    );
  assert.deepEqual(await owned(), [["shared"], ["shared"]]);
  await ask("DELETE /api/roomSetting/shared");
  assert.deepEqual(await owned(), [[], []]);
});

test("suspended people and the caller are listed, revoked ones are not", async () => {
  const [active, suspended, revoked] = [
    await create(ask, { role: "state", name: "A" }),
    await create(ask, { role: "state", name: "B" }),
    await create(ask, { role: "state", name: "C" }),
  ];
  await suspend(ask, suspended.id);
  await revoke(ask, revoked.id);
  assert.deepEqual(await statesIn(list, "state"), [
    [active.id, false, false],
    [suspended.id, true, false],
  ]);
});

test("people of other organizations are in no page and no total", async () => {
  const other = await organization("Next door");
  await create(other.ask, { role: "everywhere", name: "Sentinel" });
  for (const search of ["", "sentinel"]) {
    const { users, pagination } = (await ask(request, { role: "everywhere", search })).body;
    assert.deepEqual([users, pagination.total], [[], 0]);
  }
});

test("a person counts once, immediately, and under the current role", async () => {
  const total = async (role: string) => (await ask(request, { role })).body.pagination.total;
  const { body } = await ask("POST /api/user/orgUser", newPerson({ role: "first", loginUrl }));
  assert.equal(await total("first"), 1);
  await ask("PUT /api/user/orgUser", { userId: body.user.id, role: "second" });
  assert.deepEqual([await total("first"), await total("second")], [0, 1]);
  assert.equal(await total("first,second,second"), 1);
});
