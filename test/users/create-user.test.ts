import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertFails,
  assertRefused,
  failure,
  type Refused,
  unstorable,
  unstorablePhrase,
} from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, everybody, loginUrl, newPerson, someEmail } from "./people.ts";

const { organization } = await startWorld(test);
const { ask } = await organization("Creating");
const request = "POST /api/user/orgUser";

const emailAndName = "Email and name are required to create a new user.";
const loginUrlMissing = "loginUrl is required to create a new user.";
const emailPhrase = "email must be an email address, such as ann@example.org";
const rolePhrase = "must be a role of 1 to 64 characters without a comma and surrounding spaces";

test("the answer to a creation has exactly its twelve keys and their defaults", async () => {
  const email = someEmail();
  const { status, headers, body } = await ask(request, { email, name: "Ann Lee", loginUrl });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ["success", "user", "password"]);
  assert.equal(Object.keys(body.user).length, 12);
  const { id, createdAt, username, ...rest } = body.user;
  assert.deepEqual(rest, {
    email,
    name: "Ann Lee",
    location: null,
    role: "moderator",
    accountSuspended: false,
    accountDeleted: false,
    meetNowEnabled: false,
    tags: [],
    admin: false,
  });
  assert.equal(body.success, true);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.match(username, /^ann_lee_\d{6}$/);
  assert.equal(headers.get("cache-control"), "no-store, no-transform");
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("parley-ignored"), null);
});

test("every field is kept exactly as sent, and displayRating shows in the lists", async () => {
  const sent = {
    email: "Zoe.Is.Kept+As.Typed@Example.ORG",
    name: "  Zo\u0065\u0308 <b>&amp; \u{1F600} ",
    location: "Berlin 🇩🇪 '; drop table users; --",
    role: "Stage Manager",
    admin: true,
    meetNowEnabled: true,
    displayRating: true,
    tags: ["a", "a", "", "ÄÖ, %_\\"],
  };
  const { body } = await ask(request, { ...sent, loginUrl });
  const { displayRating, ...shown } = sent;
  for (const [field, value] of Object.entries(shown)) assert.deepEqual(body.user[field], value);
  const listed = (await ask("POST /api/user/fetchOrgUsers", { role: sent.role })).body.users;
  assert.deepEqual(listed[0].displayRating, displayRating);
  assert.match(listed[0].profileId, /^\d{10}$/);
});

const text = (from: string, max: number) => `must be text of ${from} ${max} characters`;
const flags = [null, "true", 0, 1, []];
const missing = [undefined, null, "", " \t"];

const refused: readonly Refused[] = [
  ["email", missing, emailAndName, "email_and_name_required"],
  ["name", missing, emailAndName, "email_and_name_required"],
  ["loginUrl", missing, loginUrlMissing, "login_url_required"],
  ["email", [5, ["a@b.org"], `a@${"b".repeat(253)}`], text("1 to", 254)],
  ["name", [5, [], {}, true, "é".repeat(201)], text("1 to", 200)],
  ["loginUrl", [5, {}, `https://e.org/${"x".repeat(2035)}`], text("1 to", 2048)],
  ["location", [5, {}, "x".repeat(201)], text("at most", 200)],
  ["role", [null, "", "  ", 5, "x".repeat(65)], text("1 to", 64)],
  ["role", ["a,b", " a", "a "], rolePhrase],
  ["admin", flags, "must be true or false"],
  ["meetNowEnabled", flags, "must be true or false"],
  ["displayRating", flags, "must be true or false"],
  ["tags", [null, "x", {}, true], "must be an array of text"],
  ["tags", [Array(51).fill("x")], "must have at most 50 entries"],
  [
    "tags[1]",
    [
      ["x", "y".repeat(101)],
      ["x", 1],
      ["x", null],
    ],
    text("at most", 100),
  ],
  ["name", unstorable, unstorablePhrase],
  ["location", unstorable, unstorablePhrase],
  ["role", unstorable, unstorablePhrase],
  ["tags[0]", unstorable.map((tag) => [tag]), unstorablePhrase],
];

test("missing, wrong or too long fields are refused by name with the exact text", async (t) => {
  const before = await everybody(ask);
  await assertRefused(t, (more) => ask(request, newPerson(more)), refused);
  assert.deepEqual(await everybody(ask), before);
});

test("of several errors one with the interface's text comes first, and all are named", async () => {
  await assertFails(
    ask(request, {}),
    400,
    failure("email_and_name_required", emailAndName, [
      { field: "email", message: emailAndName },
      { field: "name", message: emailAndName },
      { field: "loginUrl", message: loginUrlMissing },
    ]),
  );
  await assertFails(
    ask(request, newPerson({ email: "x", name: "" })),
    400,
    failure("email_and_name_required", emailAndName, [
      { field: "email", message: emailPhrase },
      { field: "name", message: emailAndName },
    ]),
  );
  await assertFails(
    ask(request, newPerson({ loginUrl: undefined, admin: 1, tags: "x" })),
    400,
    failure("login_url_required", loginUrlMissing, [
      { field: "loginUrl", message: loginUrlMissing },
      { field: "admin", message: "admin must be true or false" },
      { field: "tags", message: "tags must be an array of text" },
    ]),
  );
});

test("a body that is not an object is refused", async () => {
  const message = "The body must be a JSON object.";
  for (const body of [[], "[1]", '"x"', "5", "true"]) {
    await assertFails(
      ask(request, body),
      400,
      failure("invalid_input", message, [{ field: "", message }]),
    );
  }
});

test("the longest values of each field are accepted, counted in characters", async () => {
  const name = "\u{1F600}".repeat(200);
  const tags = Array(50).fill("\u{1F600}".repeat(100));
  const role = "r".repeat(64);
  const url = `https://e.org/${"x".repeat(2048 - 14)}`;
  const person = await create(ask, { name, tags, role, location: "l".repeat(200), loginUrl: url });
  assert.deepEqual([person.name, person.tags, person.role], [name, tags, role]);
});

test("null stands for an unset location", async () => {
  assert.equal((await create(ask, { location: null })).location, null);
});

test("an email in use is refused with the exact text, even across organizations", async () => {
  const { email } = await create(ask);
  const taken = failure("email_taken", "Email already exists. Try again with a different email.");
  await assertFails(ask(request, newPerson({ email })), 409, taken);
  const other = await organization("Elsewhere");
  await assertFails(other.ask(request, newPerson({ email: email.toUpperCase() })), 409, taken);
});

test("unknown fields change nothing and are named in Parley-Ignored", async () => {
  const body = `{"accountDeleted":true,"accountSuspended":true,"id":"x","username":"root","password":"p",
    "createdAt":"2000-01-01T00:00:00.000Z","organizationId":"o","profileId":"1","__proto__":{"admin":true},
    "constructor":1,"ümlaut, x":1,"email":"${someEmail()}","name":"Ann","loginUrl":"${loginUrl}"}`;
  const { status, headers, body: answer } = await ask(request, body);
  assert.equal(status, 201);
  assert.equal(
    headers.get("parley-ignored"),
    "accountDeleted, accountSuspended, id, username, password, createdAt, organizationId, profileId, __proto__, constructor, %C3%BCmlaut%2C%20x",
  );
  const { accountDeleted, accountSuspended, admin, username, createdAt } = answer.user;
  assert.deepEqual([accountDeleted, accountSuspended, admin], [false, false, false]);
  assert.match(username, /^ann_\d{6}$/);
  assert.notEqual(createdAt.slice(0, 4), "2000");
  assert.notEqual(answer.password, "p");
});
