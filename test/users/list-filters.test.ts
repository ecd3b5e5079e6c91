// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asked } from "../world/ask.ts";
import { assertFails, fieldFailure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, revoke, suspend } from "./people.ts";

const { organization } = await startWorld(test);
const { ask } = await organization("Filtering");
const request = "POST /api/user/fetchOrgUsersWithPagination";
const role = "filtered";

const make = async (name: string, admin: boolean) => (await create(ask, { name, role, admin })).id;
await make("Active", false);
await make("Active administrator", true);
await suspend(ask, await make("Suspended", false));
await suspend(ask, await make("Suspended administrator", true));
await revoke(ask, await make("Revoked administrator", true));

const namesOf = async (asked: object, operation: Asked = request) => {
  const { status, body } = await ask(operation, { role, ...asked });
  assert.equal(status, 200, JSON.stringify(body));
  const names = body.users.map(({ name }: { readonly name: string }) => name);
  assert.equal(body.pagination.total, names.length);
  return names;
};

test("a list is filtered by state and by administrators, each by itself and both together", async () => {
  assert.deepEqual(await namesOf({ state: "active" }), ["Active", "Active administrator"]);
  assert.deepEqual(await namesOf({ state: "suspended" }), ["Suspended", "Suspended administrator"]);
  assert.deepEqual(await namesOf({ admin: true }), [
    "Active administrator",
    "Suspended administrator",
  ]);
  assert.deepEqual(await namesOf({ admin: false }), ["Active", "Suspended"]);
  assert.deepEqual(await namesOf({ admin: true, state: "suspended" }), ["Suspended administrator"]);
  assert.deepEqual(await namesOf({ state: "suspended", search: "admin" }), [
    "Suspended administrator",
  ]);
  const revoked = "POST /api/user/fetchDeletedOrgUsersWithPagination";
  assert.deepEqual(await namesOf({ admin: true }, revoked), ["Revoked administrator"]);
  assert.deepEqual(await namesOf({ admin: false }, revoked), []);
});

test("a filtered list has pages and an order like any other", async () => {
  const page = async (page: number, sortOrder: string) =>
    (await ask(request, { role, state: "active", page, limit: 10, sortOrder })).body;
  const first = await page(1, "DESC");
  assert.deepEqual(
    first.users.map(({ name }: { readonly name: string }) => name),
    ["Active administrator", "Active"],
  );
  assert.deepEqual(first.pagination, { page: 1, limit: 10, total: 2, totalPages: 1 });
  assert.deepEqual((await page(2, "ASC")).users, []);
});

test("without filters nobody is left out", async () => {
  assert.equal((await namesOf({})).length, 4);
});

test("a filter with an unknown value is refused by name", async () => {
  for (const state of ["Active", "revoked", "", null, 1]) {
    const expected = fieldFailure("state", "state must be one of active, suspended");
    await assertFails(ask(request, { role, state }), 400, expected);
  }
  for (const admin of ["true", 1, null]) {
    const expected = fieldFailure("admin", "admin must be true or false");
    await assertFails(ask(request, { role, admin }), 400, expected);
  }
});
