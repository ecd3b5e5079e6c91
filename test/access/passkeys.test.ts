import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { failure as commandFailure, value } from "../cli/run.ts";
import { asksNobody, keepsChallenges } from "../twins/passkeys.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create, revoke } from "../users/people.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld, type World } from "../world/world.ts";
import { codeOf, setUpApp } from "./factors.ts";
import { addPasskey, type Device, type Forged, newDevice, SITE, signInBy } from "./passkey.ts";

const environment = { PUBLIC_URL: SITE };
const world = await startWorld(test, { environment });
const tenant = await world.tenant();
const { open } = world;

const wrong = failure(
  "wrong_passkey",
  "This passkey was not accepted. Try again, or sign in another way.",
);

const byPassword = (there: World, { email, password }: { email: string; password: string }) =>
  there.open("signIn", { login: email, password });

/** A person, signed in, with one passkey. */
const withPasskey = async (there: World = world, ask: Ask = tenant.ask) => {
  const person = await create(ask);
  const own = askAs(there.url, (await byPassword(there, person)).body.token);
  const device = newDevice();
  const { passkey, recoveryCodes } = await addPasskey(own, device);
  return { ...person, own, device, passkey, codes: recoveryCodes };
};

const ticketFor = async (person: { email: string; password: string }) => {
  const { status, body } = await byPassword(world, person);
  assert.deepEqual([status, body.code], [403, "second_factor_needed"]);
  return body.ticket as string;
};

/** As if the last proof of a person were a while ago. */
const age = (there: World, id: string) =>
  there.database.change((tx) =>
    tx.updateTable("tokens").set({ proved_at: null }).where("user_id", "=", id).execute(),
  );

test("a person signs in by a passkey alone, names it, and removes it", async () => {
  const { own, device, passkey, id, codes } = await withPasskey();
  assert.equal(codes.length, 10);
  const entered = await signInBy(open, device);
  assert.equal(entered.status, 200);
  assert.deepEqual(Object.keys(entered.body), ["success", "token", "expiresAt", "user"]);
  assert.equal(entered.body.user.id, id);
  assert.equal(entered.headers.getSetCookie().length, 2);
  const renamed = await own("renamePasskey", { id: passkey.id, name: "Phone" });
  assert.equal(renamed.body.passkey.name, "Phone");
  const second = newDevice();
  assert.deepEqual((await addPasskey(own, second)).recoveryCodes, []);
  const [first, other] = (await own("listPasskeys")).body.passkeys;
  assert.deepEqual([first.name, other.name, other.usedAt], ["Phone", "Laptop", null]);
  assert.ok(first.usedAt >= first.createdAt);
  const kept = await signInBy(open, second);
  assert.equal((await own("removePasskey", { id: passkey.id })).status, 200);
  // A lost device must not stay signed in; the session that removed it stays.
  assert.equal((await askAs(world.url, kept.body.token)("whoAmI")).status, 401);
  assert.equal((await own("whoAmI")).status, 200);
  await assertFails(signInBy(open, device), 403, wrong);
  assert.equal((await signInBy(open, second)).status, 200);
  const { entries } = (await tenant.ask("listHistory", { limit: 50 })).body;
  const about = entries.filter((entry: { subject: { id: string } }) => entry.subject.id === id);
  assert.ok(about.some(({ kind }: { kind: string }) => kind === "factorRemoved"));
  for (const secret of [device.id, ...codes]) assert.ok(!JSON.stringify(about).includes(secret));
});

test("a passkey is the second step after a password, with its ticket, once", async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const ticket = await ticketFor(one);
  await assertFails(signInBy(open, other.device, ticket), 403, wrong);
  // A challenge that was made for everybody is not one for this account.
  const { options } = (await open("askForPasskey", {})).body;
  const passkey = one.device.get(options);
  await assertFails(open("signInWithPasskey", { passkey, ticket }), 403, wrong);
  assert.equal((await signInBy(open, one.device, ticket)).status, 200);
  const ended = failure("session_ended", "The session has ended. Sign in again.");
  await assertFails(signInBy(open, one.device, ticket), 401, ended);
  const late = await ticketFor(one);
  const asked = (await open("askForPasskey", { ticket: late })).body.options;
  await tenant.ask("resetPassword", { userId: one.id });
  const signed = { passkey: one.device.get(asked), ticket: late };
  await assertFails(open("signInWithPasskey", signed), 401, ended);
  await assertFails(open("askForPasskey", { ticket: late }), 401, ended);
  await assertFails(open("askForPasskey", { ticket: "v1.a.b" }), 401, ended);
  // A recovery code stands in for a lost passkey.
  const again = await ticketFor(other);
  const byCode = await open("signInWithFactor", { ticket: again, code: other.codes[0] ?? "" });
  assert.equal(byCode.status, 200);
});

test("another page, another site, a device that verified nobody, and a copied passkey let nobody in", async () => {
  const { device, own } = await withPasskey();
  const forgeries: readonly Forged[] = [
    { origin: "https://meet.example.org.evil.example" },
    { origin: "http://meet.example.org" },
    { site: "evil.example" },
    { unverified: true },
    { type: "webauthn.create" },
    { userHandle: "b3RoZXI" },
  ];
  for (const forged of forgeries) {
    await assertFails(signInBy(open, device, undefined, forged), 403, wrong);
    assert.equal((await signInBy(open, device)).status, 200);
  }
  await assertFails(signInBy(open, device, undefined, { stuck: true }), 403, wrong);
  const stranger = newDevice();
  await assertFails(signInBy(open, stranger), 403, wrong);
  for (const forged of [{ origin: "https://evil.example" }, { unverified: true }]) {
    const { options } = (await own("beginPasskey")).body;
    const passkey = newDevice().create(options, forged);
    await assertFails(own("addPasskey", { name: "X", passkey }), 403, wrong);
  }
  // A value that a database does not store is refused like any other wrong one.
  const unstorable = device.get({ challenge: "\0".repeat(43) });
  await assertFails(open("signInWithPasskey", { passkey: unstorable }), 403, wrong);
  const long = newDevice(5_000);
  const { options: asked } = (await own("beginPasskey")).body;
  const named = { ...long.create(asked), id: device.id };
  await assertFails(own("addPasskey", { name: "X", passkey: named }), 403, wrong);
  const { options } = (await own("beginPasskey")).body;
  const again = await own("addPasskey", { name: "X", passkey: device.create(options) });
  assert.equal(again.body.code, "passkey_exists");
});

test("a signature serves one purpose and one person, for five minutes", async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const signedFor = async (asked: Ask, what: "askForPasskey" | "beginProof", device: Device) =>
    device.get((await asked(what, what === "askForPasskey" ? {} : undefined)).body.options);
  const forProof = await signedFor(one.own, "beginProof", one.device);
  await assertFails(open("signInWithPasskey", { passkey: forProof }), 403, wrong);
  const forSignIn = await signedFor(open, "askForPasskey", one.device);
  await assertFails(one.own("proveMyself", { passkey: forSignIn }), 403, wrong);
  const ofOther = await signedFor(one.own, "beginProof", other.device);
  await assertFails(one.own("proveMyself", { passkey: ofOther }), 403, wrong);
  const forOther = await signedFor(other.own, "beginProof", one.device);
  await assertFails(one.own("proveMyself", { passkey: forOther }), 403, wrong);
  const { options } = (await other.own("beginPasskey")).body;
  const taken = { name: "X", passkey: newDevice().create(options) };
  await assertFails(one.own("addPasskey", taken), 403, wrong);
  const late = await signedFor(open, "askForPasskey", one.device);
  await world.database.change((tx) =>
    tx.updateTable("passkey_challenges").set({ expires_at: "2020-01-01T00:00:00.000Z" }).execute(),
  );
  await assertFails(open("signInWithPasskey", { passkey: late }), 403, wrong);
});

test("passkeys of others, also of another organization, are unknown", async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const there = await world.tenant();
  const foreign = await withPasskey(world, there.ask);
  const notFound = failure("passkey_not_found", "Passkey not found.");
  for (const { passkey } of [other, foreign]) {
    await assertFails(one.own("removePasskey", { id: passkey.id }), 404, notFound);
    await assertFails(one.own("renamePasskey", { id: passkey.id, name: "X" }), 404, notFound);
  }
  const entered = await signInBy(open, foreign.device);
  assert.equal(entered.body.user.id, foreign.id);
  const ticket = await ticketFor(one);
  await assertFails(signInBy(open, foreign.device, ticket), 403, wrong);
});

test("suspended, revoked and deleted people do not get in by a passkey, and come back with it", async () => {
  const { id, device } = await withPasskey();
  await tenant.ask("suspendRestoreUser", { userId: id, action: "suspend" });
  assert.equal((await signInBy(open, device)).body.code, "account_suspended");
  await tenant.ask("suspendRestoreUser", { userId: id, action: "restore" });
  assert.equal((await signInBy(open, device)).status, 200);
  await revoke(tenant.ask, id);
  assert.equal((await signInBy(open, device)).body.code, "account_revoked");
  await tenant.ask("deleteUsers", [id]);
  await assertFails(signInBy(open, device), 403, wrong);
  const left = await world.database.read
    .selectFrom("passkeys")
    .select("id")
    .where("user_id", "=", id)
    .execute();
  assert.deepEqual(left, []);
});

test("passkeys let nobody in where people sign in by providers only", async () => {
  const there = await world.tenant();
  const { device, id } = await withPasskey(world, there.ask);
  await world.database.change((tx) =>
    tx
      .updateTable("organizations")
      .set({ settings: JSON.stringify({ signInBy: "providers" }) })
      .where(
        ({ selectFrom }) =>
          selectFrom("users")
            .select("id")
            .whereRef("users.organization_id", "=", "organizations.id")
            .where("users.id", "=", id),
        "is not",
        null,
      )
      .execute(),
  );
  assert.equal((await signInBy(open, device)).body.code, "provider_required");
});

test("a passkey proves that a person is still the one who signed in, and changes need that proof", async () => {
  const { own, id, device, passkey, password } = await withPasskey();
  await age(world, id);
  const needed = failure("proof_needed", "Confirm that it is you, and try again.");
  await assertFails(own("beginPasskey"), 403, needed);
  await assertFails(own("removePasskey", { id: passkey.id }), 403, needed);
  // The password is no proof any more.
  assert.equal((await own("proveMyself", { password })).body.code, "wrong_code");
  const { options } = (await own("beginProof")).body;
  const signed = device.get(options);
  assert.equal((await own("proveMyself", { passkey: signed })).status, 200);
  await assertFails(own("proveMyself", { passkey: signed }), 403, wrong);
  assert.equal((await own("removePasskey", { id: passkey.id })).status, 200);
  // The last factor has gone, and the recovery codes with it.
  assert.equal((await own("fetchFactors")).body.recoveryCodes, 0);
  assert.equal((await own("beginProof")).body.code, "no_passkey");
});

test("an app whose setup is not finished is no factor beside a passkey; a finished one outlives it", async () => {
  const person = await withPasskey();
  const { secret } = (await person.own("beginAuthenticator")).body;
  const ticket = await ticketFor(person);
  const unfinished = await open("signInWithFactor", { ticket, code: codeOf(secret) });
  assert.equal(unfinished.body.code, "wrong_code");
  const app = await setUpApp(person.own);
  assert.equal((await person.own("removePasskey", { id: person.passkey.id })).status, 200);
  const next = await ticketFor(person);
  const entered = await open("signInWithFactor", { ticket: next, code: codeOf(app.secret) });
  assert.equal(entered.status, 200);
});

test("a passkey is the second factor that an organization demands, and the last one stays", async () => {
  const there = await world.tenant();
  await there.ask("editOrganization", { secondFactorFor: "everybody" });
  const { own, passkey, id, device } = await withPasskey(world, there.ask);
  assert.equal((await own("fetchAccount")).status, 200);
  assert.equal((await own("removePasskey", { id: passkey.id })).body.code, "factor_demanded");
  assert.equal((await signInBy(open, device)).status, 200);
  // An administrator resets all factors, and the sessions end.
  assert.equal((await there.ask("resetFactors", { userId: id })).status, 200);
  assert.equal((await own("whoAmI")).status, 401);
  await assertFails(signInBy(open, device), 403, wrong);
});

test("tries of one passkey are throttled", async () => {
  const { device } = await withPasskey();
  const answers = await Promise.all(
    Array.from({ length: 7 }, () =>
      open("signInWithPasskey", { passkey: device.get({ challenge: "none" }) }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 429).length, 2);
});

/** Two sign-ins at once by one answer of a browser. */
const race = async (t: TestContext, twin?: Twin): Promise<void> => {
  const there = await startWorld(t, { twin, environment });
  const { device } = await withPasskey(there, (await there.organization("Race")).ask);
  const { options } = (await there.open("askForPasskey", {})).body;
  const passkey = device.get(options);
  const answers = await Promise.all([1, 2].map(() => there.open("signInWithPasskey", { passkey })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
};

test("of two sign-ins at once by one answer of a browser, one gets in", (t) => race(t));

testTwin("a twin that takes what a passkey has signed again is detected", (t) =>
  assert.rejects(race(t, keepsChallenges), { code: "ERR_ASSERTION" }),
);

testTwin("a twin that does not ask whether the device knows its person is detected", async (t) => {
  const there = await startWorld(t, { twin: asksNobody, environment });
  const { device } = await withPasskey(there, (await there.organization("Nobody")).ask);
  assert.equal((await signInBy(there.open, device, undefined, { unverified: true })).status, 200);
});

test("the operator lists the passkeys of a person and removes one, which ends the sessions", async () => {
  const { email, own, passkey } = await withPasskey();
  const other = newDevice();
  await addPasskey(own, other, "Phone");
  const listed = await value(world.environment, "user", "passkeys", email);
  assert.deepEqual(
    listed.map(({ name }: { readonly name: string }) => name),
    ["Laptop", "Phone"],
  );
  const foreign = await withPasskey();
  const refused = ["user", "remove-passkey", email, foreign.passkey.id];
  assert.match(await commandFailure(1, world.environment, ...refused), /no passkey|not found/i);
  await value(world.environment, "user", "remove-passkey", email, passkey.id);
  assert.equal((await own("whoAmI")).status, 401);
  const left = await value(world.environment, "user", "passkeys", email);
  assert.deepEqual([left.length, left[0].name], [1, "Phone"]);
  assert.equal((await signInBy(open, other)).status, 200);
});
