// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { onlyEntry, pagePromises, statesIn } from "./page-promises.ts";
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
  assert.deepEqual(await onlyEntry(list, "owner"), {
    ...person,
    accountDeleted: true,
    displayRating: false,
    rooms: ["Eins", "zwei"],
    roomIds: rooms,
  });
});

test("only revoked people are listed; those suspended before are shown as both", async () => {
  const [active, suspended, both] = [
    await create(ask, { role: "state" }),
    await create(ask, { role: "state" }),
    await create(ask, { role: "state" }),
  ];
  await suspend(ask, suspended.id);
  await suspend(ask, both.id);
  await revoke(ask, both.id);
  assert.deepEqual(await statesIn(list, "state"), [[both.id, true, true]]);
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
