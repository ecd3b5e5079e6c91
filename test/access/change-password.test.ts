import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import {
  assertFails,
  assertRefused,
  failure,
  fieldFailure,
  type Refused,
  unstorable,
  unstorablePhrase,
} from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { renewStatus, signInWithCookie, tokenStatus, withCookie } from "./sessions.ts";

const { database, open, organization } = await startWorld(test);
const { ask } = await organization("Kumquat Growers United");
const request = "PUT /api/session/password";
const good = "sesquipedalian otters juggle";

const forget = () => database.change((tx) => tx.deleteFrom("throttles").execute());

/** A signed-in person, and a function that changes their password. */
const person = async (more: object = {}) => {
  const made = await create(ask, more);
  const session = await signInWithCookie(open, made.email, made.password);
  const change = (newPassword: unknown, password: unknown = made.password) =>
    open(request, { password, newPassword }, bearer(session.token));
  const signInStatus = async (password: string) => {
    await forget();
    return (await open("POST /api/session", { login: made.email, password })).status;
  };
  return { ...made, ...session, change, signInStatus };
};

test("the answer is only success; the new password signs in, and the old one no longer does", async () => {
  const { change, password, signInStatus } = await person();
  const { status, headers, body } = await change(good);
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(body, { success: true });
  assert.deepEqual([await signInStatus(password), await signInStatus(good)], [401, 200]);
});

test("every other token and cookie of the account ends; those of the request stay", async () => {
  const { email, password, token, cookie } = await person();
  const other = await signInWithCookie(open, email, password);
  const body = { password, newPassword: good };
  const { status } = await open(request, body, { ...bearer(token), ...withCookie(cookie) });
  assert.equal(status, 200);
  assert.equal(await tokenStatus(open, token), 200);
  assert.equal(await renewStatus(open, cookie), 200);
  assert.equal(await tokenStatus(open, other.token), 401);
  assert.equal(await renewStatus(open, other.cookie), 401);
});

test("without the cookie every cookie ends; somebody else's cookie keeps none", async () => {
  const one = await person();
  const two = await person();
  const body = { password: one.password, newPassword: good };
  await open(request, body, { ...bearer(one.token), ...withCookie(two.cookie) });
  assert.equal(await renewStatus(open, one.cookie), 401);
  assert.equal(await renewStatus(open, two.cookie), 200);
  assert.equal(await tokenStatus(open, one.token), 200);
});

/** A person's other session, whose cookie or token was sent as the cookie of a change of the password. */
const sentFrom = async (what: "cookie" | "token") => {
  const { email, password, token } = await person();
  const other = await signInWithCookie(open, email, password);
  const body = { password, newPassword: good };
  const { status } = await open(request, body, { ...bearer(token), ...withCookie(other[what]) });
  assert.equal(status, 200);
  assert.equal(await tokenStatus(open, token), 200);
  return other;
};

test("the cookie of another session is not kept", async () => {
  const other = await sentFrom("cookie");
  assert.equal(await renewStatus(open, other.cookie), 401);
});

test("an access token sent as the cookie is not kept", async () => {
  const other = await sentFrom("token");
  assert.equal(await tokenStatus(open, other.token), 401);
});

test("the current password must be right", async () => {
  const { change, password, signInStatus, token } = await person();
  const wrong = failure("wrong_password", "The current password is incorrect.");
  await assertFails(change(good, "wrong"), 403, wrong);
  assert.equal(await tokenStatus(open, token), 200);
  assert.deepEqual([await signInStatus(password), await signInStatus(good)], [200, 401]);
});

test("guesses at the current password are throttled; tries of a new one are not", async () => {
  const { change } = await person();
  for (let tries = 0; tries < 7; tries += 1)
    assert.equal((await change("a".repeat(20))).status, 400);
  for (let tries = 0; tries < 5; tries += 1) assert.equal((await change(good, "x")).status, 403);
  assert.equal((await change(good, "x")).status, 429);
  await forget();
});

test("an access key has no password to change", async () => {
  const body = { password: "x", newPassword: good };
  const expected = failure("account_required", "Only a signed-in person may do this.");
  await assertFails(ask(request, body), 403, expected);
});

const length = "must be 15 to 256 characters long";
const refused: readonly Refused[] = [
  ["password", [undefined, null, "", " "], "is required."],
  ["password", [5, [], "x".repeat(257)], "must be text of 1 to 256 characters"],
  ["newPassword", [undefined, null, "", " ".repeat(20)], "is required."],
  ["newPassword", [5, {}, "é".repeat(257)], "must be text of 1 to 256 characters"],
  ["newPassword", ["x", "fourteen chars", "\u{1F600}".repeat(14)], length],
  ["newPassword", unstorable, unstorablePhrase],
];

test("a missing, too short or too long field is refused by name and changes nothing", async (t) => {
  const { password, token, signInStatus } = await person();
  const send = (more: object) =>
    open(request, { password, newPassword: good, ...more }, bearer(token));
  await assertRefused(t, send, refused);
  assert.equal(await signInStatus(password), 200);
});

test("fifteen characters are enough and 256 are accepted, whatever they are", async () => {
  const { change, signInStatus } = await person();
  const least = "\u{1F600}quiet fjord 7!";
  const most = String.fromCodePoint(...Array.from({ length: 256 }, (_, n) => 0x4e00 + n * 7));
  assert.deepEqual([[...least].length, [...most].length], [15, 256]);
  assert.equal((await change(least)).status, 200);
  assert.equal((await change(most, least)).status, 200);
  assert.equal(await signInStatus(most), 200);
});

test("name, email, username and organization are refused as passwords, in any form", async () => {
  const { change, username, email } = await person({
    name: "Bartholomew Featherstone",
    email: "b.featherstone@longdomain.example",
  });
  const message = "newPassword must not be your name, email or organization";
  for (const one of [
    "Bartholomew Featherstone",
    "bartholomewfeatherstone",
    "BARTHOLOMEW-FEATHERSTONE-2026",
    "Ｂartholomew_Featherstone!",
    "Bartholomew FeatherstoneBartholomew Featherstone",
    email,
    email.toUpperCase(),
    username,
    "Kumquat Growers United",
    "kumquatgrowersunited123",
  ]) {
    await assertFails(change(one), 400, fieldFailure("newPassword", message));
  }
});

const tooCommon = fieldFailure(
  "newPassword",
  "newPassword is among the most common passwords: choose another",
);

test("the most common passwords are refused", async () => {
  const { change } = await person();
  for (const one of [
    "aaaaaaaaaaaaaaaaa",
    "123456789012345",
    "1234567890123456",
    "qwertyuiopasdfghjkl",
    "abcabcabcabcabc",
    "passwordpassword",
    "PASSWORD password 1",
    "1q2w3e4r5t6y7u8i9o0p",
    "abcdefghijklmnop",
    "987654321098765",
    "123456789987654321",
    "123456789".repeat(3),
  ]) {
    await assertFails(change(one), 400, tooCommon);
  }
});
