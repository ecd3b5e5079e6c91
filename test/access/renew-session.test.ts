import assert from "node:assert/strict";
import { test } from "node:test";
import { create, revoke, suspend } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { renewStatus, signInWithCookie, tokenStatus, withCookie } from "./sessions.ts";

const { database, open, organization } = await startWorld(test);
const { ask } = await organization("Renewing");
const request = "POST /api/session/renew";
const ended = failure("session_ended", "The session has ended. Sign in again.");

test("the cookie alone gives a new token, as sign-in does, and sets no new cookie", async () => {
  const { id, email, name, username, password } = await create(ask);
  const { token, cookie } = await signInWithCookie(open, email, password);
  const { status, headers, body } = await open(request, undefined, withCookie(cookie));
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(headers.getSetCookie(), []);
  const user = { id, email, name, username, role: "moderator", admin: false };
  const { token: renewed, expiresAt } = body;
  assert.deepEqual(body, { success: true, token: renewed, expiresAt, user });
  assert.notEqual(renewed, token);
  for (const one of [token, renewed]) assert.equal(await tokenStatus(open, one), 200);
  assert.equal(await renewStatus(open, cookie), 200);
});

test("the answer describes the person as they are now", async () => {
  const { id, email, password } = await create(ask);
  const { cookie } = await signInWithCookie(open, email, password);
  await ask("PUT /api/user/orgUser", { userId: id, name: "New Name", admin: true });
  const { body } = await open(request, undefined, withCookie(cookie));
  assert.deepEqual([body.user.name, body.user.admin], ["New Name", true]);
});

test("without a cookie, or with an unknown one, the session has ended", async () => {
  await assertFails(open(request), 401, ended);
  for (const cookie of ["", "x", "x".repeat(43), "%00", "a".repeat(4000)]) {
    await assertFails(open(request, undefined, withCookie(cookie)), 401, ended);
  }
});

/** Cookies of one name, as a browser sends those of several paths and domains. */
const severalCookies = (...values: readonly string[]) => ({
  cookie: values.map((value) => `parley_renewal=${value}`).join("; "),
});

test("each of several cookies with the same name is tried", async () => {
  const { id, email, password } = await create(ask);
  const [one, two] = [
    await signInWithCookie(open, email, password),
    await signInWithCookie(open, email, password),
  ];
  const unknown = "x".repeat(43);
  for (const values of [
    [one.cookie, unknown],
    [unknown, one.cookie],
    ["", one.cookie],
    [unknown, "y", "%00", one.cookie],
    [one.cookie, one.cookie],
    [one.token, one.cookie],
    [one.cookie, two.cookie],
  ]) {
    const { status, body } = await open(request, undefined, severalCookies(...values));
    assert.deepEqual([status, body.user?.id], [200, id], `${values}`);
  }
  const headers = { ...bearer(one.token), ...severalCookies(unknown, one.cookie, two.cookie) };
  assert.equal((await open("signOut", undefined, headers)).status, 200);
  assert.deepEqual(
    [await renewStatus(open, one.cookie), await renewStatus(open, two.cookie)],
    [401, 401],
  );
});

test("cookies of several people renew nobody's session, because another host's page may have set one", async () => {
  const [one, other] = [await create(ask), await create(ask)];
  const here = await signInWithCookie(open, one.email, one.password);
  const there = await signInWithCookie(open, other.email, other.password);
  for (const values of [
    [here.cookie, there.cookie],
    [there.cookie, here.cookie],
  ]) {
    await assertFails(open(request, undefined, severalCookies(...values)), 401, ended);
  }
  const headers = { ...bearer(here.token), ...severalCookies(there.cookie, here.cookie) };
  assert.equal((await open("signOut", undefined, headers)).status, 200);
  assert.deepEqual(
    [await renewStatus(open, here.cookie), await renewStatus(open, there.cookie)],
    [401, 200],
  );
});

test("of more than five cookies none is looked up, because another host's page may have set the first", async () => {
  const [one, other] = [await create(ask), await create(ask)];
  const { cookie } = await signInWithCookie(open, one.email, one.password);
  const sessions = Array.from({ length: 5 }, () =>
    signInWithCookie(open, other.email, other.password),
  );
  const theirs = (await Promise.all(sessions)).map((session) => session.cookie);
  for (const before of [["a", "b", "c", "d", "e"], theirs]) {
    await assertFails(open(request, undefined, severalCookies(...before, cookie)), 401, ended);
  }
  assert.equal(await renewStatus(open, cookie), 200);
});

test("neither token nor cookie can replace the other", async () => {
  const { email, password } = await create(ask);
  const { token, cookie } = await signInWithCookie(open, email, password);
  assert.equal(await tokenStatus(open, cookie), 401);
  assert.equal(await renewStatus(open, token), 401);
  assert.equal((await open(request, undefined, bearer(token))).status, 401);
});

test("the cookie lives twelve hours", async () => {
  const { id, email, password } = await create(ask);
  const { cookie } = await signInWithCookie(open, email, password);
  const renewal = () =>
    database.read
      .selectFrom("tokens")
      .select("expires_at")
      .where("user_id", "=", id)
      .where("purpose", "=", "renewal")
      .executeTakeFirstOrThrow();
  const left = Date.parse((await renewal()).expires_at) - Date.now();
  assert.ok(left > 43_190_000 && left <= 43_200_000, `${left}`);
  await database.change((tx) =>
    tx
      .updateTable("tokens")
      .set({ expires_at: new Date(Date.now() - 1).toISOString() })
      .where("user_id", "=", id)
      .execute(),
  );
  assert.equal(await renewStatus(open, cookie), 401);
});

const endings: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  suspension: (id) => suspend(ask, id),
  revocation: (id) => revoke(ask, id),
  "a reset": (userId) => ask("POST /api/user/adminPwdreset", { userId }),
  "deletion for good": async (id) => {
    await revoke(ask, id);
    await ask("POST /api/user/permDeleteOrgUsers", [id]);
  },
};
const again: readonly ((userId: string) => Promise<unknown>)[] = [
  (userId) => ask("POST /api/user/suspendRestoreUser", { userId, action: "restore" }),
  (userId) => ask("POST /api/user/reactivateOrgUser", { userId }),
];

for (const [name, end] of Object.entries(endings)) {
  test(`${name} ends tokens and cookies permanently`, async () => {
    const { id, email, password } = await create(ask);
    const first = await signInWithCookie(open, email, password);
    const second = await signInWithCookie(open, email, password);
    await end(id);
    const dead = async () => {
      for (const { token, cookie } of [first, second]) {
        assert.equal(await tokenStatus(open, token), 401);
        assert.equal(await renewStatus(open, cookie), 401);
      }
    };
    await dead();
    for (const back of again) await back(id);
    await dead();
  });
}
