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
import { create, createSignedIn, revoke, suspend } from "./people.ts";

const { database, open, organization } = await startWorld(test);
const { ask } = await organization("Resetting");
const request = "POST /api/user/adminPwdreset";

const whoAmI = async (token: string) =>
  (await open("GET /api/session", undefined, bearer(token))).status;
const signInStatus = async (login: string, password: string) =>
  (await open("POST /api/session", { login, password })).status;

test("the answer has email and password, and nothing else", async () => {
  const { id, email, password } = await create(ask);
  const { status, headers, body } = await ask(request, { userId: id });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(Object.keys(body), ["success", "email", "password"]);
  assert.deepEqual([body.success, body.email], [true, email]);
  assert.match(body.password, /^[a-zA-Z2-9]{24}$/);
  assert.notEqual(body.password, password);
});

test("the new password signs in, the old one no longer", async () => {
  const { id, email, username, password } = await create(ask);
  const { body } = await ask(request, { userId: id, loginUrl: "https://e.org/" });
  assert.equal(await signInStatus(email, password), 401);
  assert.equal(await signInStatus(username, body.password), 200);
});

test("every token of the person ends, even for people who reset their own password", async () => {
  const person = await createSignedIn(open, ask);
  await ask(request, { userId: person.id });
  assert.equal(await whoAmI(person.token), 401);
  const me = await createSignedIn(open, ask, { admin: true });
  const { status } = await ask(request, { userId: me.id }, bearer(me.token));
  assert.equal(status, 200);
  assert.equal(await whoAmI(me.token), 401);
});

test("the state of the account does not change", async () => {
  const { id, email } = await create(ask);
  await suspend(ask, id);
  const { body } = await ask(request, { userId: id });
  const { users } = (await ask("POST /api/user/findOrgUsers", { userIds: [id] })).body;
  assert.deepEqual([users[0].accountSuspended, users[0].accountDeleted], [true, false]);
  assert.equal(await signInStatus(email, body.password), 403);
});

const urlPhrase = "must be an absolute http or https URL without user name and password";
const refused: readonly Refused[] = [
  ["userId", [undefined, null, "", " "], "userId is required.", "invalid_input"],
  ["userId", [5, ["a", "b"], {}, "x".repeat(129)], "must be text of 1 to 128 characters"],
  ["userId", unstorable, unstorablePhrase],
  ["loginUrl", ["", " ", "example.org", "javascript:alert(1)", "//example.org"], urlPhrase],
  [
    "loginUrl",
    [null, 5, `https://e.org/${"x".repeat(2035)}`],
    "must be text of at most 2048 characters",
  ],
];

test("missing and wrong fields are refused by name; the password stays and no letter is posted", async (t) => {
  const { id, email, password } = await create(ask);
  const count = async () => (await ask("GET /api/letter")).body.pagination.total;
  const before = await count();
  await assertRefused(t, (more) => ask(request, { userId: id, ...more }), refused);
  assert.equal(await count(), before);
  assert.equal(await signInStatus(email, password), 200);
});

test("an unknown ID and one of another organization get the same answer", async () => {
  const other = await organization("Next door");
  const { id, email, password } = await create(other.ask);
  for (const userId of [id, "unknown", "__proto__"]) {
    await assertFails(ask(request, { userId }), 404, failure("user_not_found", "User not found."));
  }
  assert.equal(await signInStatus(email, password), 200);
});

test("a revoked account is refused, and its password stays", async () => {
  const { id, email, password } = await create(ask);
  await revoke(ask, id);
  const expected = failure("user_is_revoked", "The account is revoked. Reactivate it first.");
  await assertFails(ask(request, { userId: id }), 409, expected);
  await ask("POST /api/user/reactivateOrgUser", { userId: id });
  assert.equal(await signInStatus(email, password), 200);
});

test("of ten resets at once exactly one password works", async () => {
  const { id, username } = await create(ask);
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(request, { userId: id })));
  const passwords = new Set(answers.map(({ body }) => body.password));
  assert.equal(passwords.size, 10);
  const works: string[] = [];
  for (const password of passwords) {
    // More tries in a row than the throttle allows anybody who guesses.
    await database.change((tx) => tx.deleteFrom("throttles").execute());
    if ((await signInStatus(username, password)) === 200) works.push(password);
  }
  assert.equal(works.length, 1);
});
