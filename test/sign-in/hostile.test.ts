// Runs: sqlite-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { acceptsAnswersAgain, linksUnverified } from "../twins/sign-ins.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { startWorld, type World } from "../world/world.ts";
import { isQuestion, newBrowser, outcomeOf } from "./browser.ts";
import {
  jwt,
  logoutClaims,
  openHostile,
  postLogout,
  seconds,
  startHostile,
  stranger,
  type Tricks,
} from "./hostile.ts";

const environment = { ALLOWED_NETWORKS: "loopback" };
const world = await startWorld(test, { environment });

const startTwin = (t: TestContext, twin: Twin): Promise<World> =>
  startWorld(t, { environment, twin });

const open = (t: TestContext, more: object = {}, at: World = world) => openHostile(t, at, more);

test("an ID token that is not signed as it should be opens nothing", async (t) => {
  const { enter, tenant } = await open(t);
  const hs256: Tricks = { header: { alg: "HS256" } };
  const tricks: Record<string, Tricks> = {
    "alg none": { header: { alg: "none" }, unsigned: true },
    "no signature": { unsigned: true },
    "another key": { key: stranger },
    "an unknown key": { header: { kid: "other" } },
    HS256: hs256,
    "a critical header": { header: { crit: ["x"], x: 1 } },
  };
  for (const [name, trick] of Object.entries(tricks)) {
    assert.equal(await enter(trick), "provider_failed", name);
  }
  const { body } = await tenant.ask("fetchUsers", {});
  assert.equal(body.users.length, 1);
  assert.equal(await enter({}), "done");
});

test("an ID token for another sign-in, client, issuer or time opens nothing", async (t) => {
  const { enter, issuer } = await open(t);
  const changed = (change: Record<string, unknown>): Tricks => ({
    claims: (claims) => ({ ...claims, ...change }),
  });
  const tricks: Record<string, Tricks> = {
    "another nonce": changed({ nonce: "of somebody else" }),
    "no nonce": changed({ nonce: undefined }),
    "another audience": changed({ aud: "other" }),
    "several audiences, for another one": changed({ aud: ["parley", "other"], azp: "other" }),
    "another issuer": changed({ iss: "https://accounts.example" }),
    "an issuer with a slash": changed({ iss: `${issuer}/` }),
    "an old one": changed({ exp: seconds() - 300 }),
    "no end": changed({ exp: undefined }),
    "no subject": changed({ sub: undefined }),
    "a subject that is no text": changed({ sub: 7 }),
    "an empty subject": changed({ sub: "" }),
    "a subject that is too long": changed({ sub: "s".repeat(600) }),
  };
  for (const [name, trick] of Object.entries(tricks)) {
    assert.equal(await enter(trick), "provider_failed", name);
  }
  // Clocks differ a little.
  assert.equal(await enter(changed({ iat: seconds() + 30, exp: seconds() - 30 })), "done");
});

test("a response from another provider, or for another state, opens nothing and redeems no code", async (t) => {
  const { enter, redeemed } = await open(t);
  const set =
    (name: string, value: string): Tricks["back"] =>
    (query) =>
      query.set(name, value);
  const refused: Record<string, [Tricks, string]> = {
    "another issuer (mix-up)": [{ back: set("iss", "https://honest.example") }, "provider_failed"],
    "another state": [{ back: set("state", "x") }, "ended"],
    "no state": [{ back: (query) => query.delete("state") }, "ended"],
    "no code": [{ back: (query) => query.delete("code") }, "provider_failed"],
    "a refusal": [{ back: set("error", "access_denied") }, "provider_refused"],
    "an ID token beside the code": [{ back: set("id_token", "a.b.c") }, "provider_failed"],
  };
  for (const [name, [trick, outcome]] of Object.entries(refused)) {
    assert.equal(await enter(trick), outcome, name);
  }
  assert.deepEqual(redeemed, []);
});

test("a provider that announces iss and leaves it out is not believed", async (t) => {
  const { enter } = await open(t);
  const document = { authorization_response_iss_parameter_supported: true };
  const outcome = await enter({ document, back: (query) => query.delete("iss") });
  assert.equal(outcome, "provider_failed");
});

test("each provider has its own redirect address, and the state of one opens nothing at another", async (t) => {
  const [one, other] = [await open(t), await open(t)];
  one.play({});
  const browser = newBrowser();
  const isBack = (address: string): boolean => address.includes("/callback");
  const { address } = await browser.open(one.start, isBack);
  const moved = address.replace(one.id, other.id);
  assert.equal(outcomeOf(await browser.open(moved)), "ended");
  assert.deepEqual([one.redeemed, other.redeemed], [[], []]);
});

test("a link by anybody begins no sign-in: a page asks first, and only a page of the service begins", async (t) => {
  const { start, id, tenant, redeemed, play } = await open(t);
  play({});
  const { origin } = new URL(world.url);
  const browser = newBrowser();
  const to = encodeURIComponent("https://evil.example/");
  const { address } = await browser.open(`${start}?to=${to}&login_hint=eve@x.example`, isQuestion);
  const asked = Object.fromEntries(new URL(address).searchParams);
  assert.deepEqual(asked, { provider: id, to: "/", login: "eve@x.example" });
  assert.equal(browser.cookies.get(origin)?.size ?? 0, 0, "nothing has begun");
  const ways = async (provider: string) =>
    (await world.open("findWaysIn", { provider, withOrganization: "true" })).body;
  const { organization, providers } = await ways(id);
  assert.equal(organization.id, tenant.id);
  assert.deepEqual(providers, [{ id, name: "Hostile" }]);
  assert.deepEqual(await ways("unknown"), {
    ...{ success: true, password: true, providers: [], sentTo: null },
  });

  const begin = (from: string) =>
    world.open(`POST /api/session/provider/${id}`, undefined, { origin: from });
  for (const foreign of ["https://evil.example", "null"]) {
    const refused = await begin(foreign);
    assert.equal(refused.body.address, `${world.url}/?signIn=ended`, foreign);
    assert.deepEqual(refused.headers.getSetCookie(), [], foreign);
  }
  const own = await begin(origin);
  assert.notEqual(new URL(own.body.address).origin, origin);
  assert.equal(own.headers.getSetCookie().length, 1);
  assert.deepEqual(redeemed, []);
});

const answersOnce = async (t: TestContext, at: World): Promise<void> => {
  const { start, redeemed, play } = await open(t, {}, at);
  play({});
  const [victim, attacker] = [newBrowser(), newBrowser()];
  const isBack = (address: string): boolean => address.includes("/callback");
  const { address } = await attacker.open(start, isBack);
  assert.equal(outcomeOf(await victim.open(address)), "ended");
  // Also where the victim has begun a sign-in.
  await victim.open(start, isBack);
  assert.equal(outcomeOf(await victim.open(address)), "ended");
  assert.equal(redeemed.length, 0);
  const { origin } = new URL(at.url);
  const kept = new Map(attacker.cookies.get(origin));
  assert.equal(outcomeOf(await attacker.open(address)), "done");
  attacker.cookies.set(origin, kept);
  assert.equal(outcomeOf(await attacker.open(address)), "ended");
  assert.equal(redeemed.length, 1);
};

test("the answer of one browser opens nothing in another, and nothing the second time", (t) =>
  answersOnce(t, world));

testTwin("a twin that accepts the answer of a provider again is detected", async (t) =>
  assert.rejects(answersOnce(t, await startTwin(t, acceptsAnswersAgain)), assert.AssertionError),
);

const linksVerified = async (t: TestContext, at: World): Promise<void> => {
  const { enter, tenant, domain } = await open(t, { createsAccounts: false }, at);
  const { email } = await tenant.addPerson(`known@${domain}`);
  const named = (email_verified?: boolean): Tricks => ({
    claims: (claims) => ({ ...claims, email, email_verified }),
  });
  assert.equal(await enter(named(false)), "email_unverified");
  assert.equal(await enter(named()), "email_unverified");
  assert.equal(await enter(named(true)), "done");
};

test("an account is linked by an address that the provider has verified, and by no other", (t) =>
  linksVerified(t, world));

testTwin("a twin that links accounts by addresses that are not verified is detected", async (t) =>
  assert.rejects(linksVerified(t, await startTwin(t, linksUnverified)), assert.AssertionError),
);

test("PKCE, state and nonce are new each time, and the verifier fits the challenge", async (t) => {
  const { enter, asked, redeemed } = await open(t);
  await enter({});
  await enter({});
  for (const name of ["state", "nonce", "code_challenge"]) {
    const values = asked.map((query) => query.get(name) ?? "");
    assert.equal(new Set(values).size, 2, name);
    assert.ok(
      values.every((value) => value.length >= 43),
      name,
    );
  }
  assert.equal(asked[0]?.get("code_challenge_method"), "S256");
  assert.equal(asked[0]?.get("response_type"), "code");
  assert.match(redeemed[0] ?? "", /code_verifier=[\w-]{43}/);
});

test("user info of another person, or with another address than the ID token, opens nothing", async (t) => {
  const { tenant, enter } = await open(t);
  const sub = "somebody";
  const infos: Record<string, object> = {
    "another subject": { sub: "other", email_verified: true },
    "no subject": { email_verified: true },
    "a subject in other letters": { sub: "Somebody", email_verified: true },
    "another address": { sub, email: tenant.admin.email, email_verified: true },
    "several addresses": { sub, email: [tenant.admin.email], email_verified: true },
  };
  for (const [name, userInfo] of Object.entries(infos)) {
    assert.equal(await enter({ userInfo }), "provider_failed", name);
  }
  assert.equal(await enter({ userInfo: { sub, name: "Some Body" } }), "done");
});

test("a sign-in leads back to a page of the service only", async (t) => {
  const { start, play, issuer } = await open(t);
  play({});
  const targets = [
    ...["https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example"],
    ...["javascript:alert(1)", "/api/session", "//api/session", "@evil.example", ""],
    // No addresses, though each is a path of the service.
    ...["//[", "//x:99999/"],
  ];
  for (const to of targets) {
    const page = await newBrowser().open(`${start}?to=${encodeURIComponent(to)}`);
    const { origin, pathname } = new URL(page.address);
    assert.equal(origin, new URL(world.url).origin, to);
    assert.ok(!pathname.includes("api"), to);
    assert.equal(outcomeOf(page), "done", to);
  }
  const page = await newBrowser().open(`${start}?to=${encodeURIComponent("/m/code?x=1#y")}`);
  assert.match(page.address, /\/m\/code\?x=1&signIn=done#y$/);
  assert.ok(issuer);
});

test("a code is redeemed only at the issuer at which its sign-in began", async (t) => {
  const { start, play, tenant, id, domain } = await open(t);
  const other = await startHostile(t, domain);
  play({ back: (query) => query.delete("iss") });
  const browser = newBrowser();
  const { address } = await browser.open(start, (at) => at.includes("/callback"));
  const edited = await tenant.ask("editProvider", { id, issuer: other.issuer });
  assert.equal(edited.status, 200);
  assert.equal(outcomeOf(await browser.open(address)), "ended");
  assert.deepEqual(other.redeemed, []);
});

test("a session that the provider ends while its person comes back does not begin", async (t) => {
  const { enter, start, issuer } = await open(t);
  const by = (ending: object): Tricks => ({
    claims: (claims) => ({ ...claims, sid: "s1" }),
    before: async () =>
      assert.equal(await postLogout(start, jwt(logoutClaims(issuer, ending))), 200),
  });
  assert.equal(await enter(by({ sid: "s1" })), "ended");
  assert.equal(await enter(by({})), "ended", "all sessions of the subject");
  assert.equal(await enter(by({ sid: "another" })), "done");
  assert.equal(await enter({}), "done", "begun afterwards");
  const unnamed: Tricks = { ...by({ sid: "s2" }), claims: (claims) => claims };
  assert.equal(await enter(unnamed), "ended", "of which the ID token has no name");
  assert.equal(await enter({}), "done", "begun afterwards");
});

test("a provider that redirects its own answers is not followed", async (t) => {
  const { enter } = await open(t);
  assert.equal(await enter({ moved: `${world.url}/health` }), "provider_failed");
});

test("claims of any form make no administrator and no fault", async (t) => {
  const { enter, tenant } = await open(t, { adminClaim: "groups", adminValue: "admins" });
  const forms: readonly unknown[] = [
    { toString: 1, valueOf: 1 },
    ["admins"],
    { admins: true },
    null,
    true,
    "admins,",
  ];
  for (const [n, groups] of forms.entries()) {
    const tricks: Tricks = { claims: (claims) => ({ ...claims, groups: [groups] }) };
    assert.equal(await enter(tricks), "done", String(n));
  }
  const made = await tenant.change(({ tx, organization }) =>
    tx
      .selectFrom("users")
      .select("admin")
      .where("organization_id", "=", organization.id)
      .where("name", "=", "somebody")
      .execute(),
  );
  assert.deepEqual(made, [{ admin: false }]);
});

test("of a list of tags, however long, the beginning is read", async (t) => {
  const { enter, tenant } = await open(t, { tagsClaim: "groups" });
  const tagsBy = async (groups: readonly string[]) => {
    assert.equal(await enter({ claims: (claims) => ({ ...claims, groups }) }), "done");
    const { users } = (await tenant.ask("fetchUsers", {})).body;
    return users.find(({ name }: { readonly name: string }) => name === "somebody").tags;
  };
  const many = Array.from({ length: 999 }, () => "a");
  assert.deepEqual(await tagsBy([...many, "b", "c"]), ["a", "b"]);
  const valid = Array.from({ length: 60 }, (_, n) => `t${n}`);
  assert.deepEqual(await tagsBy([...valid, ...valid]), valid.slice(0, 50));
});

test("what a provider or a browser says of a failure is cut in the log", async (t) => {
  const { enter } = await open(t);
  const text = "y".repeat(5_000);
  const back: Tricks["back"] = (query) => {
    query.set("error", "access_denied");
    query.set("error_description", text);
  };
  assert.equal(await enter({ back }), "provider_refused");
  const { enter: enterOther } = await open(t);
  const issuer = `https://x.example/${text}`;
  assert.equal(await enterOther({ document: { issuer } }), "provider_failed");
  const lines = world.log.filter((line) => line.includes("yyyy"));
  assert.deepEqual(
    lines.map((line) => line.length < 2_000),
    [true, true],
  );
});

test("a document that names no web address to open is refused, and the test says which", async (t) => {
  for (const wrong of ["javascript:alert(1)", "data:text/html,a", 5]) {
    const { start, play, tenant, id } = await open(t);
    play({ document: { authorization_endpoint: wrong } });
    assert.equal(outcomeOf(await newBrowser().open(start)), "provider_failed", String(wrong));
    const [{ problem }] = (await tenant.ask("testProvider", { id })).body.findings;
    assert.match(problem, /authorization_endpoint/, String(wrong));
  }
});

test("the test of a provider names each address of its document that cannot be opened", async (t) => {
  const { play, tenant, id, issuer } = await open(t);
  const problemOf = async (document: Record<string, unknown>) => {
    play({ document });
    const [{ problem }] = (await tenant.ask("testProvider", { id })).body.findings;
    return problem as string | null;
  };
  const names = [
    ...["authorization_endpoint", "token_endpoint", "jwks_uri"],
    ...["userinfo_endpoint", "end_session_endpoint"],
  ];
  for (const name of names) {
    for (const wrong of ["nowhere", "ftp://x.example/", "javascript:alert(1)", 5]) {
      const problem = await problemOf({ [name]: wrong });
      assert.equal(problem, `The discovery document names no web address for ${name}.`);
    }
  }
  assert.equal(await problemOf({ end_session_endpoint: `${issuer}/end` }), null);
});

test("an ID that no database can store names no provider", async () => {
  for (const path of ["provider/%00", "provider/%00/callback"]) {
    assert.equal((await world.open(`GET /api/session/${path}`)).status, 404, path);
  }
});

test("a document of another issuer is not believed", async (t) => {
  const { enter } = await open(t);
  assert.equal(
    await enter({ document: { issuer: "https://accounts.example" } }),
    "provider_failed",
  );
});

test("addresses inside the network are refused unless the operator allows them", async (t) => {
  const closed = await startWorld(t);
  const { ask, change, id: organizationId } = await closed.tenant();
  const input = { name: "Inside", issuer: "http://169.254.169.254/" };
  const refused = await ask("createProvider", input);
  assert.equal(refused.body.errors[0].code, "not_public_address");
  // And a document that leads inside is not followed.
  const made = await ask("createProvider", { ...input, issuer: "https://localhost.example/" });
  const { id } = made.body.provider;
  await change(({ tx }) =>
    tx
      .updateTable("providers")
      .set({ issuer: "http://127.0.0.1:9/" })
      .where("organization_id", "=", organizationId)
      .execute(),
  );
  const [first] = (await ask("testProvider", { id })).body.findings;
  assert.match(first.problem, /not one of the public Internet/);
});

test("a session of which the provider gave no name ends with every logout token about its person", async (t) => {
  const { enter, issuer, start } = await open(t);
  const opened = async (more: object) => {
    const browser = newBrowser();
    assert.equal(await enter({ claims: (claims) => ({ ...claims, ...more }) }, browser), "done");
    const renewal = browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal");
    const headers = { cookie: `parley_renewal=${renewal}` };
    return async () => (await world.open("renewSession", undefined, headers)).status;
  };
  const sessions = [await opened({}), await opened({ sid: "s1" }), await opened({ sid: "s2" })];
  const living = () => Promise.all(sessions.map((renew) => renew()));
  const end = (more: object) => postLogout(start, jwt(logoutClaims(issuer, more)));
  assert.equal(await end({ sub: "another", sid: "s3" }), 200);
  assert.equal(await end({ sub: undefined, sid: "s3" }), 200);
  assert.deepEqual(await living(), [200, 200, 200]);
  assert.equal(await end({ sid: "s1" }), 200);
  assert.deepEqual(await living(), [401, 401, 200]);
});
