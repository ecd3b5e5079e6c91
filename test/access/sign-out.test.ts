import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { renewStatus, signInWithCookie, tokenStatus, withCookie } from "./sessions.ts";

const { open, organization } = await startWorld(test);
const { ask, accessKey } = await organization("Leaving");
const request = "DELETE /api/session";

test("signing out ends the token and the cookie that came with it, and no other session", async () => {
  const { email, password } = await create(ask);
  const here = await signInWithCookie(open, email, password);
  const there = await signInWithCookie(open, email, password);
  const { token } = here;
  const answer = await open(request, undefined, { ...bearer(token), ...withCookie(here.cookie) });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { success: true });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const [cookie = ""] = answer.headers.getSetCookie();
  const [pair, ...attributes] = cookie.split("; ");
  assert.equal(pair, "parley_renewal=");
  for (const attribute of ["HttpOnly", "Path=/api/session", "SameSite=Strict"]) {
    assert.ok(attributes.includes(attribute), cookie);
  }
  assert.match(cookie, /Max-Age=0|Expires=Thu, 01 Jan 1970/);
  assert.equal(await tokenStatus(open, here.token), 401);
  assert.equal(await renewStatus(open, here.cookie), 401);
  assert.equal(await tokenStatus(open, there.token), 200);
  assert.equal(await renewStatus(open, there.cookie), 200);
});

test("signing out ends the tokens that other tabs made by the same cookie", async () => {
  const { email, password } = await create(ask);
  const { token, cookie } = await signInWithCookie(open, email, password);
  const there = await signInWithCookie(open, email, password);
  const renew = () => open("POST /api/session/renew", undefined, withCookie(cookie));
  const tabs = [await renew(), await renew()].map(({ body }) => body.token as string);
  const answer = await open(request, undefined, { ...bearer(token), ...withCookie(cookie) });
  assert.equal(answer.status, 200);
  for (const tab of tabs) assert.equal(await tokenStatus(open, tab), 401);
  assert.equal(await tokenStatus(open, there.token), 200);
});

test("without the cookie only the token ends", async () => {
  const { email, password } = await create(ask);
  const { token, cookie } = await signInWithCookie(open, email, password);
  assert.equal((await open(request, undefined, bearer(token))).status, 200);
  assert.equal(await tokenStatus(open, token), 401);
  assert.equal(await renewStatus(open, cookie), 200);
});

test("a second sign-out gets the answer for an unknown token", async () => {
  const { email, password } = await create(ask);
  const { token } = await signInWithCookie(open, email, password);
  await open(request, undefined, bearer(token));
  const { status, body } = await open(request, undefined, bearer(token));
  assert.deepEqual([status, body.code], [401, "unauthorized"]);
});

test("the token of an access key can be signed out too; the key stays", async () => {
  const { body } = await open("POST /api/siteSetting/getAuthToken", accessKey);
  const { token } = body.authToken;
  assert.equal((await open(request, undefined, bearer(token))).status, 200);
  assert.equal(await tokenStatus(open, token), 401);
  assert.equal((await ask("GET /api/session")).status, 200);
  assert.equal((await open("POST /api/siteSetting/getAuthToken", accessKey)).status, 200);
});

test("another person's cookie stays valid, in the browser too", async () => {
  const [one, other] = [await create(ask), await create(ask)];
  const here = await signInWithCookie(open, one.email, one.password);
  const there = await signInWithCookie(open, other.email, other.password);
  const { body } = await open("POST /api/siteSetting/getAuthToken", accessKey);
  for (const token of [here.token, body.authToken.token]) {
    const answer = await open(request, undefined, {
      ...bearer(token),
      ...withCookie(there.cookie),
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    assert.equal(await tokenStatus(open, token), 401);
    assert.equal(await renewStatus(open, there.cookie), 200);
  }
});

test("an access token sent as the cookie does not end", async () => {
  const { email, password } = await create(ask);
  const [here, there] = [
    await signInWithCookie(open, email, password),
    await signInWithCookie(open, email, password),
  ];
  await open(request, undefined, { ...bearer(here.token), ...withCookie(there.token) });
  assert.equal(await tokenStatus(open, there.token), 200);
});
