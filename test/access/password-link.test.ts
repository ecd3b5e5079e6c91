import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { lettersTo, letterTo, linksOf } from "../letters/mailbox.ts";
import { opensTwice } from "../twins/links-to-passwords.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create, revoke, suspend } from "../users/people.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";

const sink = await startSink();
after(() => sink.stop());
const environment = { SMTP_URL: sink.url, PUBLIC_URL: "https://meet.example.org/video" };
const world = await startWorld(test, {
  environment: { ...environment, TRUST_PROXY: "loopback" },
});
const { ask } = await world.organization("Links");
const { open } = world;

const PASSWORD = "four quiet herons at dawn";
const ended = failure("link_ended", "This link has ended. Ask for a new one.");
const ENDED = 410;

/** A person whose welcome email has been taken out of the sink. */
const person = async (by = ask) => {
  const made = await create(by);
  await letterTo(sink, made.email);
  sink.letters.length = 0;
  return made;
};

const codeFor = async (email: string): Promise<string> => {
  const [link = ""] = linksOf(await letterTo(sink, email));
  assert.match(link, /^https:\/\/meet\.example\.org\/video\/password#v1\./);
  return new URL(link).hash.slice(1);
};

const choose = (code: string, newPassword = PASSWORD) =>
  open("choosePassword", { code, newPassword });

test("a forgotten password is replaced by a link that opens once, and ends all sessions", async () => {
  const { email, username, password } = await person();
  const { token } = (await open("signIn", { login: email, password })).body;
  // Links begin with PUBLIC_URL, whatever name the request has.
  const asked = await open(
    "sendPasswordLink",
    { login: username.toUpperCase() },
    { host: "evil.example", "x-forwarded-host": "evil.example" },
  );
  assert.deepEqual([asked.status, asked.body], [200, { success: true }]);
  const code = await codeFor(email);
  assert.equal((await open("signIn", { login: email, password })).status, 200);
  const { status, body } = await choose(code);
  assert.deepEqual([status, body], [200, { success: true, username }]);
  assert.equal((await open("signIn", { login: email, password })).status, 401);
  assert.equal((await open("signIn", { login: email, password: PASSWORD })).status, 200);
  const stale = await open("whoAmI", undefined, { authorization: `Bearer ${token}` });
  assert.equal(stale.status, 401);
  await assertFails(choose(code, "five quiet herons at dawn"), ENDED, ended);
  const { entries } = (await ask("listHistory", { kind: "passwordLinkSent" })).body;
  assert.equal(entries.length, 1);
  assert.doesNotMatch(JSON.stringify(entries), /v1\.|herons/);
});

test("the answer does not reveal whether an account exists, and only those that may sign in get an email", async () => {
  const [revoked, suspended] = [await person(), await person()];
  await revoke(ask, revoked.id);
  await suspend(ask, suspended.id);
  const there = await person();
  const logins = [
    revoked.email,
    suspended.username,
    "nobody@example.org",
    "nobody_123456",
    "' or 1=1 --",
    there.email,
  ];
  for (const login of logins) {
    const { status, body } = await open("sendPasswordLink", { login });
    assert.deepEqual([status, body], [200, { success: true }], login);
  }
  // The last of them; the others were asked for before.
  await codeFor(there.email);
  assert.equal(sink.letters.length, 1);
});

test("an account gets one such email in five minutes, and repeated requests are slowed down", async () => {
  const { email } = await person();
  const from = (n: number) => ({ "x-forwarded-for": `192.0.2.${n}` });
  const many = await Promise.all(
    Array.from({ length: 12 }, (_, n) => open("sendPasswordLink", { login: email }, from(n))),
  );
  assert.ok(many.every(({ status }) => status === 200));
  const one = await Promise.all(
    Array.from({ length: 12 }, () => open("sendPasswordLink", { login: email }, from(99))),
  );
  assert.ok(one.some(({ status }) => status === 429));
  // Somebody else's email is asked for after them.
  const other = await person();
  await open("sendPasswordLink", { login: other.email });
  await codeFor(other.email);
  const { letters } = (await ask("listLetters", { limit: 100 })).body;
  const links = letters.filter(
    (letter: { kind: string; recipient: string }) =>
      letter.kind === "password-link" && letter.recipient === email,
  );
  assert.equal(links.length, 1);
  assert.equal((await lettersTo(sink, other.email)).length, 1);
});

test("a link opens its account only with the address, the password and the state that it was made for", async () => {
  const moved = await person();
  await open("sendPasswordLink", { login: moved.email });
  const code = await codeFor(moved.email);
  const broken = code.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
  await assertFails(choose(broken), ENDED, ended);
  await ask("editUser", { userId: moved.id, email: `moved-${moved.email}` });
  await assertFails(choose(code), ENDED, ended);

  const held = await person();
  await open("sendPasswordLink", { login: held.email });
  const theirs = await codeFor(held.email);
  await suspend(ask, held.id);
  assert.equal((await choose(theirs)).body.code, "account_suspended");
  await ask("suspendRestoreUser", { userId: held.id, action: "restore" });
  await ask("resetPassword", { userId: held.id });
  await assertFails(choose(theirs), ENDED, ended);
});

test("a suspension and a revocation end links to choose a password, and the next step of a sign-in, for good", async () => {
  const ends = {
    suspension: async (userId: string) => {
      await suspend(ask, userId);
      await ask("suspendRestoreUser", { userId, action: "restore" });
    },
    revocation: async (userId: string) => {
      await revoke(ask, userId);
      await ask("reactivateUser", { userId });
    },
  };
  for (const [what, end] of Object.entries(ends)) {
    const { id, email, password } = await person();
    await open("sendPasswordLink", { login: email });
    const code = await codeFor(email);
    sink.letters.length = 0;
    const first = { email: `first-${email}`, name: "First", loginUrl: "https://x.example" };
    const { user } = (await ask("createUser", { ...first, passwordByLink: true })).body;
    const firstCode = await codeFor(first.email);
    await ask("editUser", { userId: id, mustChoosePassword: true });
    const { ticket } = (await open("signIn", { login: email, password })).body;
    for (const userId of [id, user.id]) await end(userId);
    await assertFails(choose(code), ENDED, ended);
    await assertFails(choose(firstCode), ENDED, ended);
    for (const userId of [id, user.id]) {
      const { ways } = (await ask("fetchUserWays", { userId })).body;
      assert.equal(ways.linkUntil, null, what);
    }
    const chosen = await open("signInWithNewPassword", { ticket, newPassword: PASSWORD });
    assert.equal(chosen.body.code, "session_ended", what);
    // The password is still the same.
    assert.equal((await open("signIn", { login: email, password })).status, 403, what);
    sink.letters.length = 0;
    await open("sendPasswordLink", { login: first.email });
    assert.equal((await choose(await codeFor(first.email))).status, 200, what);
  }
});

/** Two uses of one link at once. */
const usedTwice = async (t: TestContext, twin?: Twin): Promise<void> => {
  const there = await startWorld(t, { environment, twin });
  const { email } = await person((await there.organization("Twice")).ask);
  await there.open("sendPasswordLink", { login: email });
  const code = await codeFor(email);
  const passwords = ["four quiet herons at dawn", "five quiet herons at dawn"];
  const answers = await Promise.all(
    passwords.map((newPassword) => there.open("choosePassword", { code, newPassword })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ENDED]);
};

test("the ways into an account name the time until which a link to choose a password opens", async () => {
  const { id, email } = await person();
  const until = async (userId = id) =>
    (await ask("fetchUserWays", { userId })).body.ways.linkUntil as string | null;
  const minutes = async (userId = id) =>
    Math.round((Date.parse((await until(userId)) ?? "") - Date.now()) / 60_000);
  assert.equal(await until(), null, "a password by email is no link");
  await open("sendPasswordLink", { login: email });
  const code = await codeFor(email);
  assert.equal(await minutes(), 60);
  assert.equal((await choose(code)).status, 200);
  assert.equal(await until(), null);

  const loginUrl = "https://x.example";
  const first = { email: `first-${email}`, name: "First", loginUrl, passwordByLink: true };
  const { user } = (await ask("createUser", first)).body;
  assert.equal(await minutes(user.id), 30 * 24 * 60);
  await codeFor(first.email);
  assert.equal(await minutes(user.id), 30 * 24 * 60);
  await ask("editUser", { userId: user.id, email: `moved-${email}` });
  assert.equal(await until(user.id), null, "it was sent to the former address");
});

test("of two uses of a link at once, one chooses the password", (t) => usedTwice(t));

testTwin("a twin that lets a link open twice is detected", (t) =>
  assert.rejects(usedTwice(t, opensTwice), { code: "ERR_ASSERTION" }),
);
