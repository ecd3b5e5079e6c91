import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, createSignedIn, everybody, revoke } from "./people.ts";

const { open, organization } = await startWorld(test);
const { ask } = await organization("Reactivating");
const request = "POST /api/user/reactivateOrgUser";
const type = "accountReactivation";

const exactlyOne = "Provide exactly one of userId or email.";
const typed = (code: string, message: string, errors?: object[]) => ({
  type,
  ...failure(code, message, errors),
});
const notFound = typed("user_not_found", "User not found.");

test("the answer is type and success, by userId or by email", async () => {
  const { id, email } = await create(ask);
  for (const who of [{ userId: id }, { email }, { email: email.toUpperCase(), userId: null }]) {
    await revoke(ask, id);
    const { status, headers, body } = await ask(request, who);
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.deepEqual(body, { type, success: true });
    assert.equal((await everybody(ask)).revoked.length, 0);
  }
});

test("both, neither, or a blank one are refused", async () => {
  const { id, email } = await create(ask);
  await revoke(ask, id);
  const errors = [{ field: "", message: exactlyOne }];
  for (const body of [
    {},
    undefined,
    { userId: id, email },
    { userId: null, email: null },
    { userId: "" },
    { email: " " },
    { userId: "", email: "" },
  ]) {
    await assertFails(ask(request, body), 400, typed("user_id_or_email", exactlyOne, errors));
  }
  assert.equal((await everybody(ask)).revoked.length, 1);
  await ask(request, { userId: id });
});

test("values that are not text, or too long, are refused by name", async () => {
  for (const [field, value, phrase] of [
    ["userId", 5, "must be text of at most 128 characters"],
    ["userId", "x".repeat(129), "must be text of at most 128 characters"],
    ["email", ["a@b.org"], "must be text of at most 254 characters"],
    ["email", "a\0@b.org", "must be text without U+0000 and unpaired surrogates"],
  ] as const) {
    const message = `${field} ${phrase}`;
    const expected = typed("invalid_input", message, [{ field, message }]);
    await assertFails(ask(request, { [field]: value }), 400, expected);
  }
});

test("an unknown ID or email and those of another organization get the same answer", async () => {
  const other = await organization("Next door");
  const { id, email } = await create(other.ask);
  await revoke(other.ask, id);
  for (const who of [
    { userId: id },
    { email },
    { userId: "unknown" },
    { email: "nobody@example.org" },
    { email: "no address" },
    { userId: "__proto__" },
  ]) {
    await assertFails(ask(request, who), 404, notFound);
  }
  assert.equal((await everybody(other.ask)).revoked.length, 1);
});

test("an account that is not revoked is refused", async () => {
  const { id, email } = await create(ask);
  const expected = typed("user_not_revoked", "The account is not revoked.");
  for (const who of [{ userId: id }, { email }])
    await assertFails(ask(request, who), 409, expected);
});

test("full access comes back with the old password; earlier tokens stay invalid", async () => {
  const person = await createSignedIn(open, ask, { admin: true });
  await revoke(ask, person.id);
  await ask(request, { userId: person.id });
  assert.equal((await open("GET /api/session", undefined, bearer(person.token))).status, 401);
  const login = { login: person.username, password: person.password };
  const { token } = (await open("POST /api/session", login)).body;
  assert.equal((await ask("POST /api/user/fetchOrgUsers", {}, bearer(token))).status, 200);
});

test("a failure without a token carries the type as well", async () => {
  await assertFails(
    open(request, { userId: "x" }),
    401,
    typed("unauthorized", "A valid Bearer token is required."),
  );
});
