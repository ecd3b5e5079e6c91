import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import {
  assertFails,
  assertRefused,
  failure,
  type Refused,
  unstorable,
  unstorablePhrase,
} from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, createSignedIn, everybody, ownAccount, revoke } from "./people.ts";

const { open, organization } = await startWorld(test);
const { ask } = await organization("Suspending");
const request = "POST /api/user/suspendRestoreUser";

const userIdRequired = "userId is required to suspend/restore a user account.";
const invalidAction = "Invalid action. Must be either 'suspend' or 'restore'.";

test("the answer has the user's id and accountSuspended, and nothing else", async () => {
  const { id } = await create(ask);
  for (const [action, accountSuspended] of [
    ["suspend", true],
    ["suspend", true],
    ["restore", false],
    ["restore", false],
  ] as const) {
    const { status, headers, body } = await ask(request, { userId: id, action });
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.deepEqual(body, { success: true, user: { id, accountSuspended } });
    const { users } = (await ask("POST /api/user/fetchOrgUsers", {})).body;
    const listed = users.find((user: { readonly id: string }) => user.id === id);
    assert.equal(listed.accountSuspended, accountSuspended);
  }
});

const refused: readonly Refused[] = [
  ["userId", [undefined, null, "", " "], userIdRequired, "user_id_required_to_suspend"],
  ["userId", [5, ["a"], "x".repeat(129)], "must be text of 1 to 128 characters"],
  ["userId", unstorable, unstorablePhrase],
  [
    "action",
    [undefined, null, "", "Suspend", "restore ", "delete", 1, ["suspend"], "toString"],
    invalidAction,
    "invalid_action",
  ],
];

test("a missing userId or a wrong action is refused with the exact text and changes nothing", async (t) => {
  const { id } = await create(ask);
  const before = await everybody(ask);
  await assertRefused(
    t,
    (more) => ask(request, { userId: id, action: "suspend", ...more }),
    refused,
  );
  await assertFails(
    ask(request, {}),
    400,
    failure("user_id_required_to_suspend", userIdRequired, [
      { field: "userId", message: userIdRequired },
      { field: "action", message: invalidAction },
    ]),
  );
  assert.deepEqual(await everybody(ask), before);
});

test("an unknown ID and one of another organization get the same answer", async () => {
  const other = await organization("Next door");
  const { id } = await create(other.ask);
  const before = await everybody(other.ask);
  for (const action of ["suspend", "restore"]) {
    for (const userId of [id, "unknown", "__proto__"]) {
      const expected = failure("user_not_found", "User not found.");
      await assertFails(ask(request, { userId, action }), 404, expected);
    }
  }
  assert.deepEqual(await everybody(other.ask), before);
});

test("nobody can suspend their own account; restoring it is not an error", async () => {
  const me = await createSignedIn(open, ask, { admin: true });
  const asMe = (action: string) => ask(request, { userId: me.id, action }, bearer(me.token));
  await assertFails(asMe("suspend"), 409, ownAccount);
  assert.equal((await asMe("restore")).status, 200);
});

test("suspension ends every token with the next request, restoring brings none back", async () => {
  const person = await createSignedIn(open, ask);
  const whoAmI = async () =>
    (await open("GET /api/session", undefined, bearer(person.token))).status;
  assert.equal(await whoAmI(), 200);
  await ask(request, { userId: person.id, action: "suspend" });
  assert.equal(await whoAmI(), 401);
  await ask(request, { userId: person.id, action: "restore" });
  assert.equal(await whoAmI(), 401);
  const again = await open("POST /api/session", {
    login: person.email,
    password: person.password,
  });
  assert.equal(again.status, 200);
});

test("a revoked account is neither suspended nor restored", async () => {
  const { id } = await create(ask);
  await revoke(ask, id);
  const before = await everybody(ask);
  for (const action of ["suspend", "restore"]) {
    const expected = failure("user_is_revoked", "The account is revoked. Reactivate it first.");
    await assertFails(ask(request, { userId: id, action }), 409, expected);
  }
  assert.deepEqual(await everybody(ask), before);
});
