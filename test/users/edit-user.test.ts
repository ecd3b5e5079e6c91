import assert from "node:assert/strict";
import { test } from "node:test";
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
import { create, createSignedIn, everybody, ownAccount, revoke, someEmail } from "./people.ts";

const { open, organization } = await startWorld(test);
const { ask } = await organization("Editing");
const request = "PUT /api/user/orgUser";

const taken = failure("email_taken", "Email already exists. Try again with a different email.");
const notFound = failure("user_not_found", "User not found.");
/** The account in the answer to an edit that supplies nothing. */
const fetch = async (userId: string) => (await ask(request, { userId })).body.user;

test("the answer to an edit has exactly its thirteen keys", async () => {
  const { id, email, createdAt, username } = await create(ask);
  const { status, headers, body } = await ask(request, { userId: id, name: "Bo" });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store, no-transform");
  assert.deepEqual(body, {
    success: true,
    user: {
      id,
      email,
      name: "Bo",
      createdAt,
      location: null,
      username,
      role: "moderator",
      accountSuspended: false,
      accountDeleted: false,
      displayRating: false,
      meetNowEnabled: false,
      tags: [],
      admin: false,
    },
  });
});

const changes: readonly [string, unknown][] = [
  ["email", "Somebody.Else@Example.Org"],
  ["name", " New  Na\u0065\u0308me "],
  ["location", "Oslo"],
  ["location", ""],
  ["location", null],
  ["role", "admin"],
  ["admin", true],
  ["admin", false],
  ["meetNowEnabled", true],
  ["tags", ["b", "a", "b"]],
  ["tags", []],
  ["displayRating", true],
];

test("an edit changes only the supplied field", async (t) => {
  const settings = { location: "Rome", tags: ["x"], admin: true, meetNowEnabled: false };
  const { id } = await create(ask, { ...settings, role: "host" });
  for (const [field, value] of changes) {
    await t.test(`${field} ${JSON.stringify(value)}`, async () => {
      const before = await fetch(id);
      const { body } = await ask(request, { userId: id, [field]: value });
      assert.deepEqual(body.user, { ...before, [field]: value });
      assert.deepEqual(await fetch(id), body.user);
    });
  }
});

test("an edit that supplies nothing succeeds and changes nothing", async () => {
  const { password, ...person } = await create(ask, { tags: ["x"], location: "here" });
  const { status, body } = await ask(request, { userId: person.id });
  assert.equal(status, 200);
  assert.deepEqual(body.user, { ...person, displayRating: false });
});

const text = (from: string, max: number) => `must be text of ${from} ${max} characters`;
const userIdRequired = "userId is required to edit a user.";
const emailPhrase = "must be an email address, such as ann@example.org";
const flags = [null, "false", 0, {}];

const refused: readonly Refused[] = [
  ["userId", [undefined, null, "", "  "], userIdRequired, "user_id_required_to_edit"],
  ["userId", [5, ["a"], {}, "x".repeat(129)], text("1 to", 128)],
  ["userId", unstorable, unstorablePhrase],
  ["email", [null, "", " ", "x", "a@b", "a@b.org,c@d.org"], emailPhrase],
  ["email", [5, []], text("1 to", 254)],
  ["name", [null, "", "  ", 5, "x".repeat(201)], text("1 to", 200)],
  ["location", [5, "x".repeat(201)], text("at most", 200)],
  ["role", [null, "", 5, "x".repeat(65)], text("1 to", 64)],
  ["admin", flags, "must be true or false"],
  ["meetNowEnabled", flags, "must be true or false"],
  ["displayRating", flags, "must be true or false"],
  ["tags", [null, "x"], "must be an array of text"],
  ["tags", [Array(51).fill("")], "must have at most 50 entries"],
  ["tags[0]", [["y".repeat(101)]], text("at most", 100)],
];

test("missing, wrong or too long fields are refused by name and change nothing", async (t) => {
  const { id } = await create(ask);
  const before = await everybody(ask);
  const send = (more: object) => ask(request, { userId: id, meetNowEnabled: true, ...more });
  await assertRefused(t, send, refused);
  assert.deepEqual(await everybody(ask), before);
});

test("a missing userId is reported before errors in the settings", async () => {
  await assertFails(
    ask(request, { name: 5 }),
    400,
    failure("user_id_required_to_edit", userIdRequired, [
      { field: "userId", message: userIdRequired },
      { field: "name", message: "name must be text of 1 to 200 characters" },
    ]),
  );
});

test("an email in use is refused, the person's own in another case is not", async () => {
  const ann = await create(ask);
  const bo = await create(ask);
  const shouted = bo.email.toUpperCase();
  for (const email of [ann.email, ann.email.toUpperCase()]) {
    await assertFails(ask(request, { userId: bo.id, email, name: "Changed" }), 409, taken);
  }
  assert.equal((await fetch(bo.id)).name, bo.name);
  assert.equal((await ask(request, { userId: bo.id, email: shouted })).body.user.email, shouted);
  const other = await organization("Owner of an address");
  const stranger = await create(other.ask);
  await revoke(other.ask, stranger.id);
  await assertFails(ask(request, { userId: bo.id, email: stranger.email }), 409, taken);
});

test("a former email is available again", async () => {
  const { id, email } = await create(ask);
  await ask(request, { userId: id, email: someEmail() });
  assert.equal((await create(ask, { email })).email, email);
});

test("the username stays when the name changes", async () => {
  const { id, username } = await create(ask);
  const { body } = await ask(request, { userId: id, name: "Quite Another", username: "root" });
  assert.equal(body.user.username, username);
});

test("an unknown ID and one of another organization get the same answer", async () => {
  const other = await organization("Neighbour");
  const { id } = await create(other.ask);
  for (const userId of [id, "unknown", "__proto__", "0".repeat(128)]) {
    await assertFails(ask(request, { userId, name: "Taken over" }), 404, notFound);
  }
});

test("keys that an edit does not accept change nothing and are named", async () => {
  const { id } = await create(ask);
  const before = await fetch(id);
  const sent = { userId: id, id: "x", accountDeleted: true, password: "p", createdAt: "now" };
  const { headers, body } = await ask(request, sent);
  assert.equal(headers.get("parley-ignored"), "id, accountDeleted, password, createdAt");
  assert.deepEqual(body.user, before);
});

test("administrators cannot demote themselves, but may change everything else of their own account", async () => {
  const me = await createSignedIn(open, ask, { admin: true });
  const asMe = (more: object) => ask(request, { userId: me.id, ...more }, bearer(me.token));
  await assertFails(asMe({ admin: false, name: "Changed" }), 409, ownAccount);
  const { body } = await asMe({ admin: true, role: "host", name: "Me" });
  assert.deepEqual([body.user.admin, body.user.role, body.user.name], [true, "host", "Me"]);
});

test("an error in one field is listed under errors too", async () => {
  const { id } = await create(ask);
  await assertFails(
    ask(request, { userId: id, role: "a,b" }),
    400,
    fieldFailure(
      "role",
      "role must be a role of 1 to 64 characters without a comma and surrounding spaces",
    ),
  );
});

test("an email in use is reported together with every other error", async () => {
  const [ann, bo] = [await create(ask), await create(ask)];
  const other = await organization("Holder of an address");
  const stranger = await create(other.ask);
  const faults = async (sent: object): Promise<string[]> => {
    const { status, body } = await ask(request, { userId: bo.id, tags: 1, ...sent });
    assert.equal(status, 400);
    const { message } = body.errors.find((one: { field: string }) => one.field === "email") ?? {};
    if (message !== undefined) assert.equal(message, taken.message);
    return body.errors.map((one: { readonly field: string }) => one.field);
  };
  for (const { email } of [ann, stranger]) {
    assert.deepEqual(await faults({ email: email.toUpperCase() }), ["tags", "email"]);
  }
  assert.deepEqual(await faults({ email: bo.email }), ["tags"]);
  assert.deepEqual(await faults({ email: someEmail() }), ["tags"]);
  assert.deepEqual(await faults({ email: ann.email, userId: stranger.id }), ["tags"]);
});
