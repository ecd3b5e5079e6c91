import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, createSignedIn, everybody, ownAccount, suspend } from "./people.ts";

const { open, organization } = await startWorld(test);
const own = await organization("Revoking");
const { ask } = own;
const request = "POST /api/user/revokeOrgUsers";

const format = "Invalid format. Payload must be an array of user details.";
const notFound = "User not found.";
const entries = (ids: readonly string[]) => ids.map((userId) => ({ userId }));

test("the answer is only success; the people are then in the revoked lists only", async () => {
  const ids = await addPeople(own, [{ name: "A" }, { name: "B" }]);
  const { status, headers, body } = await ask(request, entries(ids));
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(body, { success: true });
  const { active, revoked } = await everybody(ask);
  const idsOf = (users: { readonly id: string }[]) => users.map(({ id }) => id);
  assert.deepEqual(idsOf(revoked), ids);
  assert.ok(!idsOf(active).some((id) => ids.includes(id)));
});

test("a body that is not an array is refused with the exact text", async () => {
  const expected = failure("user_details_not_array", format, [{ field: "", message: format }]);
  for (const body of [{}, undefined, "null", '"x"', "5", { userId: "x" }, { 0: { userId: "x" } }]) {
    await assertFails(ask(request, body), 400, expected);
  }
});

test("an empty array, and one of more than 1,000, are refused", async () => {
  const empty = "User details array cannot be empty.";
  await assertFails(
    ask(request, []),
    400,
    failure("user_details_empty", empty, [{ field: "", message: empty }]),
  );
  const many = "The body must be at most 1000 entries";
  await assertFails(
    ask(request, entries(Array(1001).fill("x"))),
    400,
    failure("invalid_input", many, [{ field: "", message: many }]),
  );
});

test("every wrong entry is named by its index, and nobody is revoked", async () => {
  const [id = ""] = await addPeople(own, [{}]);
  const before = await everybody(ask);
  const errors = [
    ["[1].userId", "[1].userId is required."],
    ["[2]", "[2] must be an object with userId"],
    ["[3]", "[3] must be an object with userId"],
    ["[4].userId", "[4].userId must be text of 1 to 128 characters"],
    ["[5].userId", "[5].userId is required."],
    ["[6]", "[6] must be an object with userId"],
  ].map(([field, message]) => ({ field, message }));
  await assertFails(
    ask(request, [{ userId: id }, {}, null, id, { userId: [id] }, { userId: " " }, [id]]),
    400,
    failure("invalid_input", "[1].userId is required.", errors),
  );
  assert.deepEqual(await everybody(ask), before);
});

test("all or none: every entry that prevents the revocation is named", async () => {
  const me = await createSignedIn(open, ask, { admin: true });
  const other = await organization("Next door");
  const foreign = await create(other.ask);
  const [id = ""] = await addPeople(own, [{}]);
  const before = await everybody(ask);
  await assertFails(
    ask(request, entries([id, "unknown", me.id, foreign.id]), bearer(me.token)),
    404,
    failure("user_not_found", notFound, [
      { field: "[1].userId", message: notFound },
      { field: "[2].userId", message: ownAccount.message },
      { field: "[3].userId", message: notFound },
    ]),
  );
  assert.deepEqual(await everybody(ask), before);
  assert.equal((await everybody(other.ask)).active.length, 1);
});

test("nobody can revoke their own account", async () => {
  const me = await createSignedIn(open, ask, { admin: true });
  const errors = [{ field: "[0].userId", message: ownAccount.message }];
  const asked = ask(request, entries([me.id]), bearer(me.token));
  await assertFails(asked, 409, { ...ownAccount, errors });
});

test("a duplicate ID, and an account that is already revoked, are not errors", async () => {
  const [a = "", b = ""] = await addPeople(own, [{}, {}]);
  assert.deepEqual((await ask(request, entries([a, a]))).body, { success: true });
  const before = await everybody(ask);
  assert.deepEqual((await ask(request, entries([a]))).body, { success: true });
  assert.deepEqual(await everybody(ask), before);
  assert.deepEqual((await ask(request, entries([a, b]))).body, { success: true });
  const used = (await ask("GET /api/organization")).body.organization.used.users;
  assert.equal(used, (await everybody(ask)).active.length);
});

test("a thousand people are revoked at once", async () => {
  const crowd = await organization("Crowd");
  const many = Array.from({ length: 1000 }, () => ({}));
  const ids = await addPeople(crowd, many);
  assert.equal((await crowd.ask(request, entries(ids))).status, 200);
  assert.equal((await everybody(crowd.ask)).revoked.length, 1000);
  const { used } = (await crowd.ask("GET /api/organization")).body.organization;
  assert.equal(used.users, 0);
});

test("revocation ends tokens and sign-in, and keeps the data and the owned rooms", async () => {
  const person = await createSignedIn(open, ask, { location: "here", tags: ["x"] });
  await ask("POST /api/roomSetting", { name: "Kept", room: "kept", roomOwnerId: person.id });
  await suspend(ask, person.id);
  await ask("POST /api/user/suspendRestoreUser", { userId: person.id, action: "restore" });
  await ask(request, [{ userId: person.id }]);
  const { status } = await open("GET /api/session", undefined, bearer(person.token));
  assert.equal(status, 401);
  await assertFails(
    open("POST /api/session", { login: person.username, password: person.password }),
    403,
    failure("account_revoked", "This account was revoked. Ask an administrator to reactivate it."),
  );
  const { roomSetting } = (await ask("GET /api/roomSetting/kept")).body;
  assert.equal(roomSetting.roomOwnerId, person.id);
});

test("fields that an entry does not accept are named by index", async () => {
  const [a = "", b = ""] = await addPeople(own, [{}, {}]);
  const { headers } = await ask(request, [{ userId: a }, { userId: b, email: "x", id: 1 }]);
  assert.equal(headers.get("parley-ignored"), "%5B1%5D.email, %5B1%5D.id");
});
