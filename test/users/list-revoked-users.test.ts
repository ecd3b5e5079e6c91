import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { pagePromises } from "./page-promises.ts";
import { create, revoke, suspend } from "./people.ts";
import { searchPromises } from "./search-promises.ts";

const { organization } = await startWorld(test);
const own = await organization("Listing the revoked");
const { ask } = own;
const request = "POST /api/user/fetchDeletedOrgUsersWithPagination" as const;

const list = { request, revoked: true, organization: own };
pagePromises(list);
searchPromises(list);

test("an entry has exactly its sixteen keys, and the rooms that the person owned", async () => {
  const { password, ...person } = await create(ask, { role: "owner" });
  const rooms: string[] = [];
  for (const name of ["zwei", "Eins"]) {
    const { body } = await ask("POST /api/roomSetting", { name, roomOwnerId: person.id });
    rooms.unshift(body.roomSetting.room);
  }
  await revoke(ask, person.id);
  const { status, headers, body } = await ask(request, { role: "owner" });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(Object.keys(body), ["success", "users", "pagination"]);
  const [{ profileId, ...entry }] = body.users;
  assert.match(profileId, /^\d{10}$/);
  assert.deepEqual(entry, {
    ...person,
    accountDeleted: true,
    displayRating: false,
    rooms: ["Eins", "zwei"],
    roomIds: rooms,
  });
});

test("only revoked people are listed; who was suspended before is shown as both", async () => {
  const [active, suspended, both] = [
    await create(ask, { role: "state" }),
    await create(ask, { role: "state" }),
    await create(ask, { role: "state" }),
  ];
  await suspend(ask, suspended.id);
  await suspend(ask, both.id);
  await revoke(ask, both.id);
  const { users, pagination } = (await ask(request, { role: "state" })).body;
  assert.equal(pagination.total, 1);
  assert.deepEqual(
    users.map(
      (user: {
        readonly id: string;
        readonly accountSuspended: boolean;
        readonly accountDeleted: boolean;
      }) => [user.id, user.accountSuspended, user.accountDeleted],
    ),
    [[both.id, true, true]],
  );
  assert.notEqual(active.id, both.id);
});

test("revoked people of other organizations are in no page and no total", async () => {
  const other = await organization("Next door");
  const { id } = await create(other.ask, { role: "everywhere", name: "Sentinel" });
  await revoke(other.ask, id);
  for (const search of ["", "sentinel"]) {
    const { users, pagination } = (await ask(request, { role: "everywhere", search })).body;
    assert.deepEqual([users, pagination.total], [[], 0]);
  }
});
