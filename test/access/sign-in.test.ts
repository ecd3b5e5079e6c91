import assert from "node:assert/strict";
import { test } from "node:test";
import { create, newPerson, revoke, suspend } from "../users/people.ts";
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

const { database, open, organization, log } = await startWorld(test, {
  environment: { LOG_LEVEL: "debug" },
});
const behindTls = await startWorld(test, {
  environment: { PUBLIC_URL: "https://meet.example.org" },
});
const { ask } = await organization("Signing in");
const request = "POST /api/session";
const wrong = failure("wrong_login", "The email, username or password is incorrect.");

const forget = () => database.change((tx) => tx.deleteFrom("throttles").execute());

test("the entry of a refused sign-in is added once the answer has left, which takes no longer for an account", async () => {
  let early = 0;
  for (let n = 0; n < 10; n += 1) {
    const { id, email } = await create(ask);
    await forget();
    assert.equal((await open(request, { login: email, password: "wrong wrong" })).status, 401);
    const entry = await database.read
      .selectFrom("history")
      .select("number")
      .where("kind", "=", "signInRefused")
      .where("subject_id", "=", id)
      .executeTakeFirst();
    if (entry !== undefined) early += 1;
  }
  // On a busy machine one may be there before the test looks.
  assert.ok(early < 5, `${early}`);
});

test("the answer has token, expiresAt and the person, and sets the renewal cookie", async () => {
  const person = await create(ask, { role: "host", admin: true });
  const { status, headers, body } = await open(request, {
    login: person.email,
    password: person.password,
  });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  const { token, expiresAt } = body;
  assert.deepEqual(body, {
    success: true,
    token,
    expiresAt,
    user: {
      id: person.id,
      email: person.email,
      name: person.name,
      username: person.username,
      role: "host",
      admin: true,
    },
  });
  assert.match(token, /^[\w-]{43}$/);
  const left = Date.parse(expiresAt) - Date.now();
  assert.ok(left > 3_590_000 && left <= 3_600_000, `${left}`);
  const [cookie = "", device = "", ...more] = headers.getSetCookie();
  assert.deepEqual(more, []);
  const [pair, ...attributes] = cookie.split("; ");
  assert.match(pair ?? "", /^parley_renewal=[\w-]{43}$/);
  assert.ok(!pair?.includes(token));
  assert.deepEqual(attributes.sort(), [
    "HttpOnly",
    "Max-Age=43200",
    "Path=/api/session",
    "SameSite=Strict",
  ]);
  const [known = "", ...its] = device.split("; ");
  assert.match(known, /^parley_device=v1\./);
  assert.ok(!known.includes(token) && !known.includes(person.id));
  assert.deepEqual(its.sort(), [
    "HttpOnly",
    "Max-Age=2592000",
    "Path=/api/session",
    "SameSite=Strict",
  ]);
});

test("the cookie is Secure where PUBLIC_URL is https, also when it is ended", async () => {
  const { ask: there } = await behindTls.organization("Behind TLS");
  const { email, password } = await create(there);
  const answer = await behindTls.open(request, { login: email, password });
  const { token } = answer.body;
  const ended = await behindTls.open("DELETE /api/session", undefined, bearer(token));
  for (const { headers } of [answer, ended]) {
    for (const cookie of headers.getSetCookie()) {
      const [, ...attributes] = cookie.split("; ");
      for (const one of ["Secure", "HttpOnly", "SameSite=Strict", "Path=/api/session"]) {
        assert.ok(attributes.includes(one), cookie);
      }
    }
  }
});

test("people sign in by email and by username, in any case", async () => {
  const { email, username, password } = await create(ask, { email: "Login@Bücher.example" });
  for (const login of [
    email,
    email.toUpperCase(),
    "login@xn--bcher-kva.example",
    username,
    username.toUpperCase(),
  ]) {
    assert.equal((await open(request, { login, password })).status, 200, login);
  }
});

test("an unknown login and a wrong password get the same answer", async () => {
  const { email, username, password } = await create(ask);
  const unknown = [
    "nobody@example.org",
    "nobody_123456",
    "no address@",
    "' or 1=1 --",
    "__proto__",
  ];
  for (const login of [email, username, ...unknown]) {
    await assertFails(open(request, { login, password: "wrong" }), 401, wrong);
  }
  await assertFails(open(request, { login: `${username}x`, password }), 401, wrong);
  const { headers } = await open(request, { login: "nobody", password });
  assert.equal(headers.get("www-authenticate"), 'Bearer realm="parley"');
  assert.deepEqual(headers.getSetCookie(), []);
});

test("a password must match byte for byte: case, length and spaces count", async () => {
  const { email, password } = await create(ask);
  const near = [password.toLowerCase(), password.slice(0, -1), `${password} `, ` ${password}`];
  for (const other of [...near, `${password}x`]) {
    await forget();
    await assertFails(open(request, { login: email, password: other }), 401, wrong);
  }
});

test("the state of an account is revealed only with the right password", async () => {
  const [suspended, revoked] = [await create(ask), await create(ask)];
  await suspend(ask, suspended.id);
  await revoke(ask, revoked.id);
  const states = [
    [
      suspended,
      "account_suspended",
      "This account is suspended. Ask an administrator to restore it.",
    ],
    [
      revoked,
      "account_revoked",
      "This account was revoked. Ask an administrator to reactivate it.",
    ],
  ] as const;
  for (const [{ email, password }, code, message] of states) {
    await assertFails(open(request, { login: email, password }), 403, failure(code, message));
    await assertFails(open(request, { login: email, password: "wrong" }), 401, wrong);
  }
});

const refused: readonly Refused[] = [
  ["login", [undefined, null, "", " "], "is required."],
  ["password", [undefined, null, "", " "], "is required."],
  ["login", [5, ["a"], {}, "x".repeat(255)], "must be text of 1 to 254 characters"],
  ["password", [5, ["a"], {}, "x".repeat(257)], "must be text of 1 to 256 characters"],
  ["password", unstorable, unstorablePhrase],
];

test("missing and wrong fields are refused by name", async (t) => {
  const valid = { login: "ann@example.org", password: "x" };
  await assertRefused(t, (more) => open(request, { ...valid, ...more }), refused);
});

test("guessing is throttled, other people are not, and the right password resets the count", async () => {
  await forget();
  const [guessed, other] = [await create(ask), await create(ask)];
  const guess = () => open(request, { login: guessed.email, password: "wrong" });
  for (let tries = 0; tries < 5; tries += 1) assert.equal((await guess()).status, 401);
  const slowed = await open(request, {
    login: guessed.email.toUpperCase(),
    password: guessed.password,
  });
  assert.equal(slowed.status, 429);
  const message = "Too many tries. Wait a moment and try again.";
  assert.deepEqual(slowed.body, failure("too_many_requests", message));
  assert.match(slowed.headers.get("retry-after") ?? "", /^[1-5]$/);
  for (let tries = 0; tries < 7; tries += 1) {
    const { status } = await open(request, { login: other.email, password: other.password });
    assert.equal(status, 200);
  }
});

test("throttling does not reveal accounts: unknown names are throttled too", async () => {
  await forget();
  const statuses = [];
  for (let tries = 0; tries < 6; tries += 1) {
    const { status } = await open(request, { login: "nobody@example.org", password: "wrong" });
    statuses.push(status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
});

test("no password, token or cookie is in the logs or in the database", async () => {
  await forget();
  const { body } = await ask("POST /api/user/orgUser", newPerson());
  const answer = await open(request, { login: body.user.email, password: body.password });
  const cookie = /parley_renewal=([\w-]+)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
  const rows = JSON.stringify([
    await database.read.selectFrom("tokens").selectAll().execute(),
    await database.read.selectFrom("users").selectAll().execute(),
  ]);
  for (const secret of [body.password, answer.body.token, cookie]) {
    assert.ok(secret.length > 20);
    assert.ok(!rows.includes(secret) && !log.join("").includes(secret));
  }
});
