// Runs: sqlite-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { askAs, bearer } from "../world/ask.ts";
import { startWorld, type World } from "../world/world.ts";
import { type Browser, newBrowser, outcomeOf } from "./browser.ts";
import {
  jwt,
  logoutClaims,
  openHostile,
  postLogout,
  seconds,
  startHostile,
  stranger,
} from "./hostile.ts";

const environment = { ALLOWED_NETWORKS: "loopback" };
const world = await startWorld(test, { environment });

const open = (t: TestContext, more: object = {}, at: World = world) => openHostile(t, at, more);

/** The session of a browser that has come back from a provider: the status of its renewal, and its token. */
const renewalOf = async (browser: Browser, cookie = cookieOf(browser)) => {
  const { status, body } = await world.open("POST /api/session/renew", undefined, { cookie });
  return { status, token: body.token as string };
};

const cookieOf = (browser: Browser): string =>
  `parley_renewal=${browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal")}`;

test("another issuer in place of the first one gets no ID token at the sign-out", async (t) => {
  const { start, play, issuer, tenant, id, domain } = await open(t);
  const other = await startHostile(t, domain);
  play({ document: { end_session_endpoint: `${issuer}/end` } });
  other.play({ document: { end_session_endpoint: `${other.issuer}/end` } });
  const enter = async () => {
    const browser = newBrowser();
    assert.equal(outcomeOf(await browser.open(start)), "done");
    const renewal = browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal");
    const cookie = `parley_renewal=${renewal}`;
    return (await world.open("POST /api/session/renew", undefined, { cookie })).body.token;
  };
  const signOut = async (token: string) =>
    (await world.open("signOutOfProvider", undefined, bearer(token))).body.address;
  assert.match(await signOut(await enter()), /id_token_hint=/);
  const token = await enter();
  const { users } = (await tenant.ask("fetchUsers", {})).body;
  const { id: userId } = users.find(({ name }: { name: string }) => name === "somebody");
  await tenant.ask("editUser", { userId, admin: true });
  // The caller's own session stays.
  const edited = await askAs(world.url, token)("editProvider", { id, issuer: other.issuer });
  assert.equal(edited.status, 200);
  assert.equal(await signOut(token), null);
});

test("a strange address for signing out ends the session here only, and leaves no error in the log", async (t) => {
  for (const wrong of ["nowhere", "ftp://x.example/", "javascript:alert(1)", 5]) {
    const { enter } = await open(t);
    const browser = newBrowser();
    assert.equal(await enter({ document: { end_session_endpoint: wrong } }, browser), "done");
    const { token } = await renewalOf(browser);
    const headers = { ...bearer(token), cookie: cookieOf(browser) };
    const before = world.log.length;
    const { status, body } = await world.open("signOutOfProvider", undefined, headers);
    assert.deepEqual([status, body.address], [200, null], String(wrong));
    assert.equal((await renewalOf(browser)).status, 401);
    assert.deepEqual(
      world.log.slice(before).filter((line) => line.includes('"err"')),
      [],
    );
  }
});

test("a logout token of the provider ends the sessions that it names; others end none, and make few requests to it", async (t) => {
  const { enter, issuer, start, keysRead } = await open(t);
  const browser = newBrowser();
  assert.equal(await enter({ claims: (claims) => ({ ...claims, sid: "s1" }) }, browser), "done");
  const renewal = browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal");
  const cookie = `parley_renewal=${renewal}`;
  const renew = async () =>
    (await world.open("POST /api/session/renew", undefined, { cookie })).status;
  const claims = (more: object = {}) => logoutClaims(issuer, more);
  const post = (token: string) => postLogout(start, token);
  const wrong = [
    jwt(claims({ iss: "https://other.example" })),
    jwt(claims({ aud: "other" })),
    jwt(claims({ events: {} })),
    jwt(claims({ nonce: "n" })),
    jwt(claims({ jti: undefined })),
    jwt(claims({ iat: seconds() - 3600 })),
    jwt(claims({ exp: seconds() - 3600 })),
    jwt(claims({ sub: undefined })),
    ...[7, { a: 1 }, ["somebody"], null, "", "a\0"].flatMap((value) => [
      jwt(claims({ sub: value })),
      jwt(claims({ sid: value })),
    ]),
    jwt(claims(), { key: stranger }),
    jwt(claims(), { header: { alg: "none" }, unsigned: true }),
    "nothing",
    ...Array.from({ length: 20 }, (_, n) => jwt(claims(), { header: { kid: `k${n}` } })),
  ];
  for (const [n, token] of wrong.entries()) assert.equal(await post(token), 400, String(n));
  assert.ok(keysRead() < 10, `${keysRead()}`);
  // Anybody can post: it is no fault of the service.
  assert.equal(await post("a".repeat(20_000)), 413);
  assert.equal(await renew(), 200);
  assert.equal(await post(jwt(claims({ sid: "another" }))), 200);
  assert.equal(await renew(), 200);
  const right = jwt(claims({ sid: "s1" }));
  assert.equal(await post(right), 200);
  assert.equal(await renew(), 401);
  assert.equal(await post(right), 400);
});

test("a logout token that cannot be checked or carried out is no wrong one: the provider may try again", async (t) => {
  const own = await startWorld(t, { environment });
  const { play, issuer, start } = await open(t, {}, own);
  play({ document: { jwks_uri: `${issuer}/away` } });
  assert.equal(await postLogout(start, jwt(logoutClaims(issuer))), 503);
  const other = await open(t, {}, own);
  await own.database.change((tx) => tx.schema.dropTable("provider_sessions").execute());
  assert.equal(await postLogout(other.start, jwt(logoutClaims(other.issuer))), 500);
  assert.equal(await postLogout(other.start, "nothing"), 400);
});

test("a provider that is switched off lets nobody in, and still ends the sessions that it opened", async (t) => {
  const { enter, issuer, start, tenant, id } = await open(t);
  const browser = newBrowser();
  assert.equal(await enter({}, browser), "done");
  const renewal = browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal");
  const cookie = `parley_renewal=${renewal}`;
  const renew = async () =>
    (await world.open("POST /api/session/renew", undefined, { cookie })).status;
  await tenant.ask("editProvider", { id, on: false });
  assert.equal(await enter({}), "ended");
  assert.equal(await renew(), 200);
  assert.equal(await postLogout(start, jwt(logoutClaims(issuer))), 200);
  assert.equal(await renew(), 401);
});

test("a session ends by its provider also after another client ID was entered, and signs out as the client with which it began", async (t) => {
  for (const clientId of ["another", ""]) {
    const { enter, issuer, start, tenant, id } = await open(t);
    const [one, other] = [newBrowser(), newBrowser()];
    const end = { document: { end_session_endpoint: `${issuer}/end` } };
    assert.equal(await enter(end, one), "done");
    assert.equal(await enter(end, other), "done");
    await tenant.ask("editProvider", { id, clientId });
    if (clientId !== "") {
      const { token } = await renewalOf(other);
      const { address } = (await world.open("signOutOfProvider", undefined, bearer(token))).body;
      assert.equal(new URL(address).searchParams.get("client_id"), "parley");
    }
    const strange = jwt(logoutClaims(issuer, { aud: "a client of somebody else" }));
    assert.equal(await postLogout(start, strange), 400);
    assert.equal((await renewalOf(one)).status, 200);
    assert.equal(await postLogout(start, jwt(logoutClaims(issuer))), 200);
    assert.equal((await renewalOf(one)).status, 401);
  }
});

test("the removal of a provider, and another issuer in its place, end the sessions that it opened, except the caller's", async (t) => {
  for (const how of ["removeProvider", "editProvider"] as const) {
    const { enter, tenant, id, domain } = await open(t);
    const [one, own] = [newBrowser(), newBrowser()];
    assert.equal(await enter({}, one), "done");
    const chief = { sub: "chief", email: `chief@${domain}` };
    assert.equal(await enter({ claims: (claims) => ({ ...claims, ...chief }) }, own), "done");
    const { users } = (await tenant.ask("fetchUsers", {})).body;
    const { id: userId } = users.find(({ email }: { email: string }) => email === chief.email);
    await tenant.ask("editUser", { userId, admin: true });
    const byPassword = await tenant.tokenOf(tenant.admin.id);
    const { token } = await renewalOf(own);
    const ask = askAs(world.url, token);
    const { status } = await ask(how, { id, ...(how === "editProvider" && { issuer: world.url }) });
    assert.equal(status, 200, how);
    assert.equal((await renewalOf(one)).status, 401, how);
    assert.equal((await renewalOf(own)).status, 200, how);
    assert.equal((await world.open("whoAmI", undefined, bearer(byPassword))).status, 200, how);
  }
});

test("somebody in the recycle bin gets no new account, and comes in to one that was made for them", async (t) => {
  const { enter, tenant, domain } = await open(t);
  const email = `somebody@${domain}`;
  assert.equal(await enter({}), "done");
  const { users } = (await tenant.ask("fetchUsers", {})).body;
  const former = users.find((user: { readonly email: string }) => user.email === email).id;
  await tenant.ask("editOrganization", { binDays: 30, binFor: "everything" });
  await tenant.ask("revokeUsers", [{ userId: former }]);
  await tenant.ask("deleteUsers", [former]);
  assert.equal(await enter({}), "no_account");
  const again = { email, name: "Some Body", loginUrl: "https://x.example" };
  const { user } = (await tenant.ask("createUser", again)).body;
  const browser = newBrowser();
  assert.equal(await enter({}, browser), "done");
  const { body } = await world.open("whoAmI", undefined, bearer((await renewalOf(browser)).token));
  assert.equal(body.user.id, user.id);
  // Another identity with the address does not get the account.
  const other = await enter({ claims: (claims) => ({ ...claims, sub: "other" }) });
  assert.equal(other, "linked_otherwise");
});
