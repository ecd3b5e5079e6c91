import assert from "node:assert/strict";
import { test } from "node:test";
import { addPeople } from "../world/many.ts";
import { assertFails, failure, fieldFailure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, revoke } from "./people.ts";

const { organization } = await startWorld(test);
const own = await organization("Finding");
const { ask } = own;
const request = "POST /api/user/findOrgUsers";

test("people are found by their IDs, each once, by name, with the fourteen keys of a list", async () => {
  const [b = "", a = ""] = await addPeople(own, [{ name: "B" }, { name: "a" }]);
  const { status, body } = await ask(request, { userIds: [b, a, b] });
  assert.equal(status, 200);
  const all = (await ask("POST /api/user/fetchOrgUsers", {})).body.users;
  assert.deepEqual(body, { success: true, users: all });
  assert.equal(Object.keys(all[0]).length, 14);
});

test("revoked people are found too; unknown and foreign IDs are left out", async () => {
  const revoked = await create(ask);
  await revoke(ask, revoked.id);
  const other = await organization("Next door");
  const foreign = await create(other.ask);
  const userIds = ["unknown", foreign.id, revoked.id, "__proto__"];
  const { users } = (await ask(request, { userIds })).body;
  assert.deepEqual(
    users.map((user: { readonly id: string; readonly accountDeleted: boolean }) => [
      user.id,
      user.accountDeleted,
    ]),
    [[revoked.id, true]],
  );
  assert.deepEqual((await ask(request, { userIds: [foreign.id] })).body.users, []);
});

test("userIds is an array of 1 to 1,000 IDs", async () => {
  const format = "Invalid request format. Expected an array of user IDs.";
  for (const userIds of [undefined, null, "x", {}, 5]) {
    const expected = fieldFailure("userIds", format, "user_ids_not_array");
    await assertFails(ask(request, { userIds }), 400, expected);
  }
  await assertFails(
    ask(request, { userIds: [] }),
    400,
    fieldFailure("userIds", "User IDs array cannot be empty.", "user_ids_empty"),
  );
  await assertFails(
    ask(request, { userIds: Array(1001).fill("x") }),
    400,
    fieldFailure("userIds", "userIds must be at most 1000 entries"),
  );
  await assertFails(
    ask(request, { userIds: ["x", 5, ""] }),
    400,
    failure("invalid_input", "userIds[1] must be text of 1 to 128 characters", [
      { field: "userIds[1]", message: "userIds[1] must be text of 1 to 128 characters" },
      { field: "userIds[2]", message: "userIds[2] must be a user ID" },
    ]),
  );
  assert.equal((await ask(request, { userIds: Array(1000).fill("x") })).status, 200);
});
