// Runs: sqlite-first

import assert from "node:assert/strict";
import { test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { type Reason, textOf } from "../../contract/kit/reasons.ts";
import type { Finding } from "../../contract/organization/providers.ts";
import type { Find } from "../../server/db/prepared.ts";
import { waysInto } from "../../server/sign-in/ways.ts";
import { value } from "../cli/run.ts";
import { directoryOf, patchOf, personNamed } from "../scim/directory.ts";
import { askAs, bearer } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import { type Browser, newBrowser, outcomeOf } from "./browser.ts";
import { CLIENT, startProvider } from "./provider.ts";

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });
const provider = await startProvider(test);

const add = async ({ ask }: Tenant, more: object = {}) => {
  const made = await ask("createProvider", {
    name: "University",
    issuer: provider.issuer,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    domains: ["uni.example"],
    createsAccounts: true,
    ...more,
  });
  assert.equal(made.status, 201, made.text);
  const { id, redirectAddress, backChannelAddress } = made.body.provider;
  provider.register(redirectAddress, {
    post_logout_redirect_uris: [`${world.url}/`],
    backchannel_logout_uri: backChannelAddress,
    backchannel_logout_session_required: true,
  });
  const start = `${world.url}/api/session/provider/${id}`;
  return { id: id as string, start, redirectAddress };
};

/** Signs somebody in by the provider. */
const signIn = async (start: string, who: string, browser: Browser = newBrowser()) => {
  provider.who = who;
  const page = await browser.open(start);
  return { browser, page, outcome: outcomeOf(page) };
};

/** The session of a browser that has come back. */
const sessionOf = async (browser: Browser) => {
  const renewal = browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal");
  return world.open("POST /api/session/renew", undefined, { cookie: `parley_renewal=${renewal}` });
};

const ann = { email: "ann@uni.example", email_verified: true, name: "Ann Lee" };

test("a person who signs in by a provider for the first time gets an account, and has it the next time", async () => {
  const tenant = await world.tenant();
  const { start } = await add(tenant);
  provider.accounts.set("subject-ann", ann);
  const { browser, page, outcome } = await signIn(`${start}?to=/rooms`, "subject-ann");
  assert.equal(outcome, "done", page.address);
  assert.equal(new URL(page.address).pathname, "/rooms");
  const { status, body } = await sessionOf(browser);
  assert.equal(status, 200);
  assert.deepEqual(
    [body.user.email, body.user.name, body.user.admin, body.user.role],
    [ann.email, ann.name, false, "moderator"],
  );
  const again = await signIn(start, "subject-ann");
  assert.equal(again.outcome, "done");
  assert.equal((await sessionOf(again.browser)).body.user.id, body.user.id);
  const { entries } = (await tenant.ask("listHistory", { limit: 10 })).body;
  const kinds = entries.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds.slice(0, 4), ["signedIn", "signedIn", "accountLinked", "userCreated"]);
  assert.equal(entries[0].actor.id, body.user.id);
  assert.deepEqual(entries[0].after, { provider: "University" });
});

test("an account is linked by a verified email address of a domain of the provider, and keeps its password", async () => {
  const tenant = await world.tenant();
  const { id, start } = await add(tenant, { createsAccounts: false });
  const known = await tenant.ask("createUser", {
    email: "known@uni.example",
    name: "Known",
    loginUrl: "https://x.example",
  });
  const { user, password } = known.body;
  provider.accounts.set("known", { email: "KNOWN@uni.example", email_verified: true });
  provider.accounts.set("unverified", { email: "known@uni.example", email_verified: false });
  provider.accounts.set("silent", { email: "known@uni.example" });
  provider.accounts.set("elsewhere", { email: "known@other.example", email_verified: true });
  provider.accounts.set("no-email", { name: "Nobody" });
  provider.accounts.set("stranger", { email: "stranger@uni.example", email_verified: true });
  const outcomes: Record<string, string | null> = {};
  for (const who of ["unverified", "silent", "elsewhere", "no-email", "stranger", "known"]) {
    outcomes[who] = (await signIn(start, who)).outcome;
  }
  assert.deepEqual(outcomes, {
    unverified: "email_unverified",
    silent: "email_unverified",
    elsewhere: "domain_not_trusted",
    "no-email": "email_missing",
    stranger: "no_account",
    known: "done",
  });
  const links = await world.database.read
    .selectFrom("provider_links")
    .select(["subject", "user_id"])
    .where("provider_id", "=", id)
    .execute();
  assert.deepEqual(
    links.map(({ subject, user_id }) => [subject, user_id]),
    [["known", user.id]],
  );
  const byPassword = await world.open("signIn", { login: user.email, password });
  assert.equal(byPassword.status, 200);
  // The provider gives the address to somebody else: the account stays with the first.
  provider.accounts.set("heir", { email: "known@uni.example", email_verified: true });
  assert.equal((await signIn(start, "heir")).outcome, "linked_otherwise");
  // And the first stays linked when the address changes.
  provider.accounts.set("known", { email: "new@other.example", email_verified: false });
  const { browser, outcome } = await signIn(start, "known");
  assert.equal(outcome, "done");
  assert.equal((await sessionOf(browser)).body.user.id, user.id);
  const unlinked = await tenant.ask("unlinkUser", { userId: user.id });
  assert.equal(unlinked.body.unlinked, 1);
  const told = async (): Promise<number> =>
    (await tenant.ask("listLetters", {})).body.letters.filter(
      ({ kind }: { kind: string }) => kind === "sign-in-changed",
    ).length;
  assert.equal(await told(), 1, "the end of the link causes an email");
  assert.equal((await signIn(start, "heir")).outcome, "done");
  assert.equal(await told(), 2, "so does another link");
});

test("the end of a person's links ends the sessions that they opened, and no others", async () => {
  const tenant = await world.tenant();
  const { start } = await add(tenant);
  const made = await tenant.ask("createUser", {
    email: "passed-on@uni.example",
    name: "Passed On",
    loginUrl: "https://x.example",
  });
  const { user, password } = made.body;
  const account = { email: user.email, email_verified: true };
  for (const who of ["former", "bystander"]) provider.accounts.set(who, account);
  const { browser } = await signIn(start, "former");
  provider.accounts.set("bystander", { ...ann, email: "bystander@uni.example" });
  const { browser: other } = await signIn(start, "bystander");
  const byPassword = await world.open("signIn", { login: user.email, password });
  const { token } = (await sessionOf(browser)).body;
  const whoAmI = async (by: string) => (await world.open("whoAmI", undefined, bearer(by))).status;
  assert.equal(await whoAmI(token), 200);
  await tenant.ask("unlinkUser", { userId: user.id });
  assert.deepEqual([await whoAmI(token), (await sessionOf(browser)).status], [401, 401]);
  assert.equal(await whoAmI(byPassword.body.token), 200);
  assert.equal((await sessionOf(other)).status, 200);
});

test("a person who only signs in by a provider gets emails about changes of the ways to sign in", async () => {
  const tenant = await world.tenant();
  const { start } = await add(tenant);
  provider.accounts.set("told", { email: "told@uni.example", email_verified: true });
  const { browser } = await signIn(start, "told");
  const { id: userId } = (await sessionOf(browser)).body.user;
  await tenant.ask("editUser", { userId, email: "moved@uni.example" });
  const { letters } = (await tenant.ask("listLetters", {})).body;
  const recipients = letters.map(({ recipient }: { readonly recipient: string }) => recipient);
  assert.deepEqual(recipients.sort(), ["moved@uni.example", "told@uni.example"]);
});

test("the email address of another organization's account opens nothing, and is answered as no account", async () => {
  const [mine, theirs] = [await world.tenant(), await world.tenant()];
  const { start } = await add(mine, { domains: ["*"] });
  provider.accounts.set("thief", { email: theirs.admin.email, email_verified: true });
  assert.equal((await signIn(start, "thief")).outcome, "no_account");
});

test("role, admin and tags follow the claims that are mapped, and nothing else does", async () => {
  const tenant = await world.tenant();
  const { id, start } = await add(tenant);
  const claims = { ...ann, email: "claims@uni.example", groups: ["staff", "heads"], labels: ["a"] };
  provider.accounts.set("claims", { ...claims, department: "physics", admin: true, role: "admin" });
  const first = await signIn(start, "claims");
  const { user } = (await sessionOf(first.browser)).body;
  assert.deepEqual([user.role, user.admin], ["moderator", false]);
  const mapped = {
    id,
    roleClaim: "department",
    adminClaim: "groups",
    adminValue: "heads",
    tagsClaim: "labels",
  };
  assert.equal((await tenant.ask("editProvider", mapped)).status, 200);
  await signIn(start, "claims");
  const found = async () => (await tenant.ask("findUsers", { userIds: [user.id] })).body.users[0];
  const raised = await found();
  assert.deepEqual([raised.role, raised.admin, raised.tags], ["physics", true, ["a"]]);
  provider.accounts.set("claims", { ...claims, groups: ["staff"], department: "a,b" });
  await signIn(start, "claims");
  const lowered = await found();
  assert.deepEqual([lowered.role, lowered.admin, lowered.tags], ["physics", false, ["a"]]);
  // The last administrator stays one: a mistake at the provider must not lock the organization out.
  await tenant.ask("editUser", { userId: user.id, admin: true });
  await tenant.ask("editUser", { userId: tenant.admin.id, admin: false });
  await signIn(start, "claims");
  assert.equal((await found()).admin, true);
});

test("a claim makes nobody an administrator whose password or address a narrower access key may know", async () => {
  const tenant = await world.tenant();
  const { start } = await add(tenant, { adminClaim: "groups", adminValue: "chiefs" });
  const made = await tenant.ask("createAccessKey", { scope: "people", name: "Key" });
  const { accessKey, secretAccessKey } = made.body.accessKey;
  const opened = await world.open("getAuthToken", { accessKey, secretAccessKey });
  const byKey = askAs(world.url, opened.body.authToken.token);
  const email = "chief@uni.example";
  // Eve gets the password by email; then the address becomes that of somebody else.
  const eve = { email: "eve@uni.example", name: "Chief", loginUrl: "https://x.example" };
  const { user, password } = (await tenant.ask("createUser", eve)).body;
  assert.equal((await byKey("editUser", { userId: user.id, email })).status, 200);
  const byPassword = () => world.open("signIn", { login: email, password });
  const isAdmin = async (): Promise<boolean> =>
    (await tenant.ask("findUsers", { userIds: [user.id] })).body.users[0].admin;
  const { token } = (await byPassword()).body;
  assert.equal((await world.open("GET /api/session", undefined, bearer(token))).status, 200);
  provider.accounts.set("chief", { email, email_verified: true, groups: ["chiefs"] });
  const { browser, outcome } = await signIn(start, "chief");
  assert.equal(outcome, "done");
  assert.equal((await sessionOf(browser)).body.user.admin, true);
  assert.equal((await byPassword()).body.code, "wrong_login", "the key knows this password");
  assert.equal((await world.open("GET /api/session", undefined, bearer(token))).status, 401);

  await tenant.ask("editUser", { userId: user.id, admin: false });
  await byKey("editUser", { userId: user.id, email: eve.email });
  assert.equal((await signIn(start, "chief")).outcome, "done");
  assert.equal(await isAdmin(), false, "a link to a new password goes to the address of the key");
  await byKey("editUser", { userId: user.id, email });
  assert.equal((await signIn(start, "chief")).outcome, "done");
  assert.equal(await isAdmin(), true);
});

test("a claim makes nobody an administrator's whose account another provider lets in", async () => {
  const tenant = await world.tenant();
  const other = await add(tenant, { name: "Guests" });
  const eve = { email: "eve@guests.uni.example", email_verified: true };
  provider.accounts.set("eve-guest", eve);
  await tenant.ask("editProvider", { id: other.id, domains: ["guests.uni.example"] });
  const guest = await signIn(other.start, "eve-guest");
  assert.equal(guest.outcome, "done");
  const { user } = (await sessionOf(guest.browser)).body;
  const email = "head@uni.example";
  await tenant.ask("editUser", { userId: user.id, email });
  const { start } = await add(tenant, { adminClaim: "groups", adminValue: "chiefs" });
  provider.accounts.set("head", { email, email_verified: true, groups: ["chiefs"] });
  const chief = await signIn(start, "head");
  assert.equal(chief.outcome, "done");
  const { body } = await sessionOf(chief.browser);
  assert.deepEqual([body.user.id, body.user.admin], [user.id, true]);
  assert.equal((await sessionOf(guest.browser)).status, 401);
  assert.equal((await signIn(start, "head")).outcome, "done");
  provider.register(other.redirectAddress);
  const again = await signIn(other.start, "eve-guest");
  const { user: late } = (await sessionOf(again.browser)).body;
  assert.notEqual(late?.id, user.id, "the account of the other provider's subject is another one");
});

test("the limit of people holds, and suspended and revoked people do not come in", async () => {
  const tenant = await world.tenant({ users: 2 });
  const { start } = await add(tenant);
  for (const who of ["one", "two"]) {
    provider.accounts.set(who, { email: `${who}@limit.uni.example`, email_verified: true });
  }
  await tenant.ask("editProvider", { id: start.split("/").at(-1), domains: ["limit.uni.example"] });
  const { browser, outcome } = await signIn(start, "one");
  assert.equal(outcome, "done");
  assert.equal((await signIn(start, "two")).outcome, "user_limit");
  const { user } = (await sessionOf(browser)).body;
  await tenant.ask("suspendRestoreUser", { userId: user.id, action: "suspend" });
  assert.equal((await sessionOf(browser)).status, 401);
  assert.equal((await signIn(start, "one")).outcome, "account_suspended");
  await tenant.ask("revokeUsers", [{ userId: user.id }]);
  assert.equal((await signIn(start, "one")).outcome, "account_revoked");
  await tenant.ask("deleteUsers", [user.id]);
  const again = await signIn(start, "one");
  assert.equal(again.outcome, "done");
  assert.notEqual((await sessionOf(again.browser)).body.user.id, user.id);
});

test("signing out ends the session of the provider too, and the provider ends sessions here", async () => {
  const tenant = await world.tenant();
  const { start } = await add(tenant);
  provider.accounts.set("leaving", { ...ann, email: "leaving@uni.example" });
  const { browser } = await signIn(start, "leaving");
  const { token } = (await sessionOf(browser)).body;
  const renewal = browser.cookies.get(new URL(world.url).origin)?.get("parley_renewal");
  const headers = { ...bearer(token), cookie: `parley_renewal=${renewal}` };
  const ended = await world.open("signOutOfProvider", {}, headers);
  assert.equal(ended.status, 200);
  const address = new URL(ended.body.address);
  assert.equal(address.origin, provider.issuer);
  assert.equal(address.searchParams.get("post_logout_redirect_uri"), `${world.url}/`);
  assert.ok(address.searchParams.get("id_token_hint"));
  assert.equal((await sessionOf(browser)).status, 401);
  const byPassword = await tenant.tokenOf(tenant.admin.id);
  const other = await world.open("signOutOfProvider", {}, bearer(byPassword));
  assert.deepEqual(other.body, { success: true, address: null });
});

test("after a rotation of its keys the provider is believed at once", async () => {
  const { start } = await add(await world.tenant(), { domains: ["keys.example"] });
  provider.accounts.set("keys", { email: "a@keys.example", email_verified: true });
  assert.equal((await signIn(start, "keys")).outcome, "done");
  provider.rotateKeys();
  assert.equal((await signIn(start, "keys")).outcome, "done");
});

test("an organization can end passwords once an administrator has signed in by a provider", async () => {
  const tenant = await world.tenant();
  const { id, start } = await add(tenant, { domains: ["only.example"] });
  const person = await tenant.ask("createUser", {
    email: "person@only.example",
    name: "Person",
    admin: true,
    loginUrl: "https://x.example",
  });
  const { user, password } = person.body;
  const only = { signInBy: "providers" };
  assert.equal((await tenant.ask("editOrganization", only)).body.code, "provider_untried");
  provider.accounts.set("person", { email: user.email, email_verified: true });
  assert.equal((await signIn(start, "person")).outcome, "done");
  const asOther = bearer(await tenant.tokenOf(tenant.admin.id));
  assert.equal((await tenant.ask("editOrganization", only, asOther)).body.code, "provider_untried");
  assert.equal((await tenant.ask("editOrganization", only)).status, 200);
  const right = await world.open("signIn", { login: user.email, password });
  assert.deepEqual([right.status, right.body.code], [403, "provider_required"]);
  const wrong = await world.open("signIn", { login: user.email, password: "wrong" });
  assert.deepEqual([wrong.status, wrong.body.code], [401, "wrong_login"]);
  assert.equal((await signIn(start, "person")).outcome, "done");
  for (const last of [
    tenant.ask("editProvider", { id, on: false }),
    tenant.ask("removeProvider", { id }),
  ]) {
    assert.equal((await last).body.code, "provider_needed");
  }
});

test("the operator lets passwords in again by the command line", async (t) => {
  const { environment } = await openHouse(t);
  const house = await startWorld(t, { place: environment });
  const tenant = await house.tenant();
  const loginUrl = "https://x.example";
  const person = { email: `kept@${tenant.id}.example`, name: "Kept", loginUrl };
  const { user, password } = (await tenant.ask("createUser", person)).body;
  await tenant.change(({ tx, organization }) =>
    tx
      .updateTable("organizations")
      .set({ settings: JSON.stringify({ signInBy: "providers" }) })
      .where("id", "=", organization.id)
      .execute(),
  );
  const enter = () => house.open("signIn", { login: user.email, password });
  assert.equal((await enter()).body.code, "provider_required");
  await value(environment, "org", "set", tenant.id, "--sign-in", "everything");
  assert.equal((await enter()).status, 200);
});

test("the link of a room names its organization, also where another one is named", async () => {
  const tenant = await world.tenant();
  const { id } = await add(tenant, { domains: ["room.example"] });
  const room = { name: "Board", roomOwnerId: tenant.admin.id, room: "board" };
  await tenant.ask("createRoom", room);
  const { code } = (await tenant.ask("getRoomLink", { roomId: "board" })).body;
  const other = await world.tenant();
  for (const asked of [{ room: code }, { room: code, organization: other.id }]) {
    const { body } = await world.open("findWaysIn", asked);
    assert.deepEqual(body.providers, [{ id, name: "University" }]);
  }
  const { body } = await world.open("findWaysIn", { room: "nothing" });
  assert.deepEqual([body.password, body.providers], [true, []]);
});

test("neither the ways to sign in nor the queries for them reveal whether a room exists", async () => {
  const tenant = await world.tenant();
  const { id } = await add(tenant, { domains: ["id.example"] });
  const room = { name: "Board", roomOwnerId: tenant.admin.id, room: "known" };
  await tenant.ask("createRoom", room);
  for (const named of [{}, { organization: tenant.id }, { login: "a@id.example" }]) {
    const seen: [unknown, string[]][] = [];
    for (const asked of [{ room: "known" }, { room: "never" }]) {
      const statements: string[] = [];
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => {
          statements.push(JSON.stringify(node).replaceAll(asked.room, "ROOM"));
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const read = world.database.read.withPlugin(plugin);
      const find: Find = (lookup, key) => {
        statements.push(`a lookup by ${key.length}`);
        return world.database.find(lookup, key);
      };
      seen.push([await waysInto({ read, find }, { ...named, ...asked }), statements]);
    }
    assert.deepEqual(seen[0], seen[1]);
    const providers = "organization" in named ? [{ id, name: "University" }] : [];
    assert.deepEqual(seen[0]?.[0], { password: true, providers, sentTo: null });
    assert.ok((seen[0]?.[1].length ?? 0) > 1);
  }
});

test("a person of a directory who signs in by the provider has one account", async () => {
  const tenant = await world.tenant();
  const { start } = await add(tenant, { domains: ["both.example"] });
  const { scim } = await directoryOf(world.url, tenant);
  const { id } = (await scim("POST /Users", personNamed("both@both.example"))).body;
  provider.accounts.set("both", { email: "both@both.example", email_verified: true });
  const { browser, outcome } = await signIn(start, "both");
  assert.equal(outcome, "done");
  assert.equal((await sessionOf(browser)).body.user.id, id);
  const { letters } = (await tenant.ask("listLetters", {})).body;
  assert.deepEqual(letters, [], "nobody needs a password here");
  await scim(`PATCH /Users/${id}`, patchOf({ op: "replace", path: "active", value: false }));
  assert.equal((await sessionOf(browser)).status, 401);
  assert.equal((await signIn(start, "both")).outcome, "account_suspended");
  // And the other way around: the directory finds somebody who came by the provider.
  provider.accounts.set("first", { email: "first@both.example", email_verified: true });
  assert.equal((await signIn(start, "first")).outcome, "done");
  const filter = encodeURIComponent('userName eq "first@both.example"');
  assert.equal((await scim(`GET /Users?filter=${filter}`)).body.totalResults, 1);
});

test("the page of the sign-in learns the ways of an organization, and nothing about accounts", async () => {
  const tenant = await world.tenant();
  const { id } = await add(tenant, { domains: ["ways.example"] });
  const { email } = await tenant.addPerson("there@ways.example");
  const ask = (input: object) => world.open("findWaysIn", input).then(({ body }) => body);
  const there = await ask({ login: email, organization: tenant.id });
  assert.deepEqual(there, {
    success: true,
    password: true,
    providers: [{ id, name: "University" }],
    sentTo: id,
  });
  assert.deepEqual(await ask({ login: "x@ways.example", organization: tenant.id }), there);
  // With several organizations in the service, none of them can claim a domain for all.
  const nothing = { success: true, password: true, providers: [], sentTo: null };
  assert.deepEqual(await ask({ login: email }), nothing);
  assert.deepEqual(await ask({ organization: "unknown" }), nothing);
  const out = await ask({ login: "a@elsewhere.example", organization: tenant.id });
  assert.deepEqual([out.providers.length, out.sentTo], [1, null]);
});

test("a test of a provider says what is wrong", async () => {
  const { ask } = await world.tenant();
  const tried = async (more: object) => {
    const made = await ask("createProvider", { name: "P", issuer: provider.issuer, ...more });
    const { findings } = (await ask("testProvider", { id: made.body.provider.id })).body;
    return findings.map(({ check, ok, problem, ...reason }: Finding) => {
      if (ok) return reason.code === null && problem === null ? "ok" : reason;
      assert.equal(problem, textOf(reason as Reason));
      return problem;
    });
  };
  const right = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  assert.deepEqual(await tried(right), ["ok", "ok", "ok"]);
  const refuses = "The provider refuses the client ID or the secret: invalid_client.";
  assert.deepEqual(await tried({ ...right, clientSecret: "wrong" }), ["ok", "ok", refuses]);
  assert.deepEqual(await tried({}), ["ok", "ok", "There is no client ID yet."]);
  const [nowhere] = await tried({ ...right, issuer: "http://127.0.0.1:9/" });
  assert.equal(nowhere, "Nothing answers at this address (ECONNREFUSED).");
  const other = provider.issuer.replace("127.0.0.1", "localhost");
  const [renamed] = await tried({ ...right, issuer: other });
  assert.match(renamed, /is that of another issuer, http:\/\/127\.0\.0\.1:\d+: enter that one/);
  const [moved] = await tried({ ...right, issuer: `${provider.issuer}/tenant` });
  assert.match(moved, /404/);
});

test("the client secret is in no answer, no history and no archive", async () => {
  const tenant = await world.tenant();
  await add(tenant);
  const texts = await Promise.all([
    tenant.ask("listProviders"),
    tenant.ask("listHistory", {}),
    tenant.ask("exportHistory", { format: "jsonl" }),
  ]);
  for (const { text } of texts) assert.ok(!text.includes(CLIENT.client_secret));
  const rows = await world.database.read.selectFrom("providers").select("client_secret").execute();
  assert.ok(rows.every(({ client_secret }) => !client_secret?.includes(CLIENT.client_secret)));
});
