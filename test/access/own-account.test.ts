import assert from "node:assert/strict";
import { test } from "node:test";
import { pageLanguages } from "../../contract/kit/languages.ts";
import { create } from "../users/people.ts";
import { askAs, bearer } from "../world/ask.ts";
import { assertFails, assertRefused, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { cookieOf, renewStatus, signInWithCookie, tokenStatus, withCookie } from "./sessions.ts";

/* People's own settings and sessions. */

const { url, open, organization, tenant } = await startWorld(test);
const { ask } = await organization("Own accounts");

const signedIn = async () => {
  const person = await create(ask);
  const { token, cookie } = await signInWithCookie(open, person.email, person.password);
  return { ...person, token, cookie, askMe: askAs(url, token) };
};

test("people change their own name, time zone, language and colors, but not their rights", async () => {
  const { id, email, username, askMe } = await signedIn();
  const before = (await askMe("fetchAccount")).body.account;
  assert.deepEqual([before.timeZone, before.language, before.colorScheme], [null, null, "auto"]);
  const wanted = {
    name: "A New Name",
    timeZone: "Pacific/Chatham",
    language: "ja",
    colorScheme: "dark",
  };
  const { status, body } = await askMe("PUT /api/session/account", {
    ...wanted,
    admin: true,
    role: "owner",
    userId: (await create(ask)).id,
  });
  assert.equal(status, 200);
  const expected = {
    id,
    email,
    username,
    role: "moderator",
    admin: false,
    ...wanted,
    hiddenNotice: null,
  };
  assert.deepEqual(body.account, expected);
  assert.deepEqual((await askMe("fetchAccount")).body.account, expected);
  const zone = await askMe("editAccount", { timeZone: null });
  assert.deepEqual(zone.body.account, { ...expected, timeZone: null });
  const { body: history } = await ask("listHistory", { subjectId: id });
  const edits = history.entries.filter(({ kind }: { kind: string }) => kind === "userEdited");
  assert.deepEqual(
    edits.map(({ after }: { after: unknown }) => after),
    [{ name: "A New Name", language: "ja" }],
  );
});

test("a time zone, a color scheme and a name must be valid", async (t) => {
  const { askMe } = await signedIn();
  const refused = "must be a name of the IANA time zone database, such as Europe/Berlin";
  await assertRefused(t, (more) => askMe("PUT /api/session/account", more), [
    ["timeZone", ["Mars/Olympus", "+02:00", "Europe/Berlin "], refused],
    ["colorScheme", ["", "sepia", 1], "must be one of auto, light, dark"],
    ["language", ["", "xx", "JA"], `must be one of ${pageLanguages.join(", ")}`],
    ["name", ["", " "], "must be text of 1 to 200 characters"],
  ]);
});

test("sessions are listed with their browsers, and the one of the request is marked", async () => {
  const { email, password, askMe } = await signedIn();
  const other = await open(
    "POST /api/session",
    { login: email, password },
    { "user-agent": "A phone" },
  );
  assert.equal(other.status, 200);
  const { sessions } = (await askMe("listSessions")).body;
  assert.deepEqual(
    sessions.map(({ userAgent, current }: Record<string, unknown>) => [userAgent, current]),
    [
      ["A phone", false],
      [null, true],
    ],
  );
  // A renewed token belongs to the session of its cookie.
  const renewed = await open("POST /api/session/renew", undefined, withCookie(cookieOf(other)));
  const seen = (await askAs(url, renewed.body.token)("listSessions")).body.sessions;
  assert.deepEqual(
    seen.map(({ current }: { current: boolean }) => current),
    [true, false],
  );
  assert.ok(seen[0].usedAt >= seen[0].startedAt);
});

test("a session ends at once with all of its tokens, and the others stay", async () => {
  const { email, password, token, cookie, askMe } = await signedIn();
  const phone = await open("POST /api/session", { login: email, password });
  const renewed = await open("POST /api/session/renew", undefined, withCookie(cookieOf(phone)));
  const [{ id }] = (await askMe("listSessions")).body.sessions;
  assert.deepEqual((await askMe("endSessions", { sessionId: id })).body, {
    success: true,
    ended: 1,
  });
  for (const one of [phone.body.token, renewed.body.token]) {
    assert.equal(await tokenStatus(open, one), 401);
  }
  assert.equal(await renewStatus(open, cookieOf(phone)), 401);
  assert.equal(await tokenStatus(open, token), 200);
  assert.equal(await renewStatus(open, cookie), 200);
  assert.equal((await askMe("endSessions", { sessionId: id })).body.ended, 0);
});

test("all other sessions end, and the one of the request stays", async () => {
  const { email, password, token, cookie, askMe } = await signedIn();
  const others = [
    await signInWithCookie(open, email, password),
    await signInWithCookie(open, email, password),
  ];
  assert.equal((await askMe("endSessions", {})).body.ended, 2);
  for (const one of others) {
    assert.deepEqual(
      [await tokenStatus(open, one.token), await renewStatus(open, one.cookie)],
      [401, 401],
    );
  }
  assert.deepEqual([await tokenStatus(open, token), await renewStatus(open, cookie)], [200, 200]);
  assert.equal((await askMe("listSessions")).body.sessions.length, 1);
});

test("nobody sees or ends another person's sessions, and access keys have none", async () => {
  const one = await signedIn();
  const [{ id: theirs }] = (await one.askMe("listSessions")).body.sessions;
  const stranger = await tenant();
  const token = await stranger.tokenOf(stranger.admin.id);
  for (const other of [(await signedIn()).token, token]) {
    const askOther = askAs(url, other);
    assert.equal((await askOther("endSessions", { sessionId: theirs })).body.ended, 0);
    const listed = (await askOther("listSessions")).body.sessions;
    assert.ok(!listed.some(({ id }: { id: string }) => id === theirs));
  }
  assert.equal((await open("GET /api/session", undefined, bearer(one.token))).status, 200);
  const needed = failure("account_required", "Only a signed-in person may do this.");
  for (const request of ["GET /api/session/account", "GET /api/session/list"] as const) {
    await assertFails(ask(request), 403, needed);
  }
});
