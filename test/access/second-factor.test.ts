import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openSeal } from "../../server/db/seal.ts";
import { makePasswordCode } from "../../server/mail/password-code.ts";
import {
  acceptsAgain,
  forgetsFactors,
  hidesApps,
  trustsSessions,
} from "../twins/second-factors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create } from "../users/people.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld, type World } from "../world/world.ts";
import { ageProofs, codeOf, setUpApp } from "./factors.ts";
import { deviceOf } from "./sessions.ts";

const world = await startWorld(test, { environment: { TRUST_PROXY: "loopback" } });
const tenant = await world.tenant();
const { open } = world;

const wrongCode = failure("wrong_code", "This code is incorrect, or was used already.");

const signIn = (
  there: Pick<World, "open">,
  { email, password }: { email: string; password: string },
) => there.open("signIn", { login: email, password });

/** A person with an authenticator app; its code of the step before now is used. */
const withApp = async (there: World = world, ask: Ask = tenant.ask) => {
  const person = await create(ask);
  const { token } = (await signIn(there, person)).body;
  const own = askAs(there.url, token);
  const { secret, codes } = await setUpApp(own);
  return { ...person, own, token, secret, codes };
};

const ticketFor = async (person: { email: string; password: string }, there: World = world) => {
  const { status, body } = await signIn(there, person);
  assert.deepEqual([status, body.code], [403, "second_factor_needed"]);
  return body.ticket as string;
};

test("an account with an app signs in by a password and a code, and each code works once", async () => {
  const person = await withApp();
  const ticket = await ticketFor(person);
  const { headers } = await signIn(world, person);
  assert.deepEqual(headers.getSetCookie(), []);
  await assertFails(open("signInWithFactor", { ticket, code: "000000" }), 403, wrongCode);
  // The code that confirmed the app.
  await assertFails(
    open("signInWithFactor", { ticket, code: codeOf(person.secret, -1) }),
    403,
    wrongCode,
  );
  const code = codeOf(person.secret);
  const entered = await open("signInWithFactor", {
    ticket,
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  });
  assert.equal(entered.status, 200);
  assert.deepEqual(Object.keys(entered.body), ["success", "token", "expiresAt", "user"]);
  assert.equal(entered.headers.getSetCookie().length, 2);
  // The ticket was for one sign-in, and the code for one use.
  const ended = failure("session_ended", "The session has ended. Sign in again.");
  const [recovery = "", other = ""] = person.codes;
  await assertFails(open("signInWithFactor", { ticket, code: recovery }), 401, ended);
  const again = await ticketFor(person);
  await assertFails(open("signInWithFactor", { ticket: again, code }), 403, wrongCode);
  const typed = recovery.toUpperCase().replaceAll("-", " ");
  assert.equal((await open("signInWithFactor", { ticket: again, code: typed })).status, 200);
  const third = await ticketFor(person);
  await assertFails(open("signInWithFactor", { ticket: third, code: recovery }), 403, wrongCode);
  assert.equal((await open("signInWithFactor", { ticket: third, code: other })).status, 200);
  assert.equal((await person.own("fetchFactors")).body.recoveryCodes, 8);
  const entriesOf = async () =>
    (await tenant.ask("listHistory", { limit: 50 })).body.entries as {
      readonly kind: string;
      readonly subject: { readonly id: string };
    }[];
  const has = async (wanted: string) =>
    (await entriesOf()).some(({ kind, subject }) => kind === wanted && subject.id === person.id);
  // The entry of a refused sign-in is written after its answer.
  await until("the refusal is an entry", () => has("signInRefused"));
  assert.ok(await has("factorAdded"));
  const entries = await entriesOf();
  const all = JSON.stringify(entries);
  for (const secret of [person.secret, ticket, ...person.codes]) assert.ok(!all.includes(secret));
});

test("a ticket opens only its account, ends with the password, and is no token", async () => {
  const [one, other] = [await withApp(), await withApp()];
  const ticket = await ticketFor(one);
  await assertFails(
    open("signInWithFactor", { ticket, code: codeOf(other.secret) }),
    403,
    wrongCode,
  );
  const asToken = await open("whoAmI", undefined, { authorization: `Bearer ${ticket}` });
  assert.equal(asToken.status, 401);
  await tenant.ask("resetPassword", { userId: one.id });
  const { status, body } = await open("signInWithFactor", { ticket, code: codeOf(one.secret) });
  assert.deepEqual([status, body.code], [401, "session_ended"]);
});

test("codes are throttled for an account from all addresses; its known device has tries of its own", async () => {
  const person = await withApp();
  const ticket = await ticketFor(person);
  const entered = await open("signInWithFactor", { ticket, code: person.codes[0] ?? "" });
  const device = deviceOf(entered);
  const next = await ticketFor(person);
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, n) =>
      open(
        "signInWithFactor",
        { ticket: next, code: `00000${n}` },
        { "x-forwarded-for": `192.0.2.${n}` },
      ),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 429).length, 4);
  const right = { ticket: next, code: person.codes[1] ?? "" };
  assert.equal((await open("signInWithFactor", right)).status, 429);
  assert.equal((await open("signInWithFactor", right, { cookie: device })).status, 200);
});

test("devices that know only the password have no tries of codes of their own, however many there are", async () => {
  const person = await create(tenant.ask);
  const devices: string[] = [];
  for (let n = 0; n < 9; n += 1) devices.push(deviceOf(await signIn(world, person)));
  const { token } = (await signIn(world, person)).body;
  await setUpApp(askAs(world.url, token));
  const ticket = await ticketFor(person);
  const answers = await Promise.all(
    devices.map((cookie, n) => open("signInWithFactor", { ticket, code: `00000${n}` }, { cookie })),
  );
  assert.equal(answers.filter(({ status }) => status === 429).length, 4);
});

test("a session has no other tries of codes after a change of its password", async () => {
  const person = await withApp();
  const ticket = await ticketFor(person);
  const entered = await open("signInWithFactor", { ticket, code: person.codes[0] ?? "" });
  const own = askAs(world.url, entered.body.token);
  const statuses: number[] = [];
  let { password } = person;
  for (let n = 0; n < 2; n += 1) {
    const newPassword = `${password} ${n}`;
    const changed = await own("changePassword", { password, newPassword });
    const cookie = deviceOf(changed);
    password = newPassword;
    for (let tries = 0; tries < 3; tries += 1) {
      statuses.push((await own("proveMyself", { code: "000000" }, { cookie })).status);
    }
  }
  assert.deepEqual(statuses.at(-1), 429);
  assert.equal(statuses.filter((status) => status === 429).length, 1);
});

test("a session changes factors only with a fresh proof, and adding one ends the others", async () => {
  const person = await create(tenant.ask);
  const [first, second] = [await signIn(world, person), await signIn(world, person)];
  const own = askAs(world.url, first.body.token);
  const late = () => ageProofs(world, person.id);
  const proofNeeded = failure("proof_needed", "Confirm that it is you, and try again.");
  await late();
  await assertFails(own("beginAuthenticator"), 403, proofNeeded);
  assert.equal((await own("proveMyself", { password: "wrong" })).body.code, "wrong_password");
  assert.equal((await own("proveMyself", { password: person.password })).status, 200);
  const { secret } = (await own("beginAuthenticator")).body;
  await assertFails(own("confirmAuthenticator", { code: "000000" }), 403, wrongCode);
  assert.equal((await signIn(world, person)).status, 200);
  assert.equal((await own("confirmAuthenticator", { code: codeOf(secret, -1) })).status, 200);
  const ended = await open("whoAmI", undefined, { authorization: `Bearer ${second.body.token}` });
  assert.equal(ended.status, 401);
  assert.equal((await own("beginAuthenticator")).body.code, "factor_exists");
  await late();
  for (const id of ["removeAuthenticator", "makeRecoveryCodes"] as const) {
    await assertFails(own(id), 403, proofNeeded);
  }
  // The password is no proof any more.
  const byPassword = await own("proveMyself", { password: person.password });
  assert.equal(byPassword.body.code, "wrong_code");
  assert.equal((await own("proveMyself", { code: codeOf(secret) })).status, 200);
  assert.equal((await own("makeRecoveryCodes")).body.recoveryCodes.length, 10);
  assert.equal((await own("removeAuthenticator")).status, 200);
  assert.equal((await signIn(world, person)).status, 200);
});

test("neither a new password nor a link to one gets around the factor", async () => {
  const person = await withApp();
  const { password } = (await tenant.ask("resetPassword", { userId: person.id })).body;
  await ticketFor({ ...person, password });
  const { credentials, createdAt } = await world.database.read
    .selectFrom("users")
    .select(["credentials", "created_at as createdAt"])
    .where("id", "=", person.id)
    .executeTakeFirstOrThrow();
  const of = { userId: person.id, credentials, createdAt, email: person.email };
  const code = makePasswordCode(await openSeal(world.config), of, Date.now() + 60_000);
  const chosen = "four quiet herons at dawn";
  assert.equal((await open("choosePassword", { code, newPassword: chosen })).status, 200);
  const ticket = await ticketFor({ ...person, password: chosen });
  // As after a restore with another sealing key: the app's secret does not open, recovery codes work.
  await world.database.change((tx) =>
    tx
      .updateTable("authenticators")
      .set({ secret: `v1.${"A".repeat(16)}.${"A".repeat(64)}` })
      .where("user_id", "=", person.id)
      .execute(),
  );
  const byApp = open("signInWithFactor", { ticket, code: codeOf(person.secret) });
  await assertFails(byApp, 403, wrongCode);
  const recovery = person.codes[0] ?? "";
  assert.equal((await open("signInWithFactor", { ticket, code: recovery })).status, 200);
});

/** Somebody with an app, whose account an administrator looks at. */
const lookedAt = async (there: World, ask: Ask) => {
  const person = await withApp(there, ask);
  const see = async () => (await ask("fetchUserWays", { userId: person.id })).body.ways;
  const { authenticatorSince, ...ways } = await see();
  assert.ok(Date.parse(authenticatorSince) > 0);
  return { person, see, ways };
};

test("an administrator sees the ways into somebody else's account, and other people do not", async () => {
  const { person, see, ways } = await lookedAt(world, tenant.ask);
  assert.deepEqual(ways, { linkUntil: null, passkeys: [], providers: [], sessions: 1 });
  const { ask: stranger } = await world.tenant();
  const asked = { userId: person.id };
  assert.equal((await stranger("fetchUserWays", asked)).body.code, "user_not_found");
  assert.equal((await person.own("fetchUserWays", asked)).body.code, "not_allowed");
  await tenant.ask("resetFactors", asked);
  assert.deepEqual(await see(), {
    linkUntil: null,
    passkeys: [],
    authenticatorSince: null,
    providers: [],
    sessions: 0,
  });
});

testTwin("a twin that hides an app from administrators is detected", async (t) => {
  const there = await startWorld(t, { twin: hidesApps });
  const { ask } = await there.organization("Ways");
  await assert.rejects(lookedAt(there, ask), { code: "ERR_ASSERTION" });
});

test("an administrator resets somebody else's factors, which ends the sessions", async () => {
  const person = await withApp();
  const { ask: stranger } = await world.tenant();
  assert.equal((await stranger("resetFactors", { userId: person.id })).status, 404);
  assert.equal((await person.own("resetFactors", { userId: person.id })).body.code, "not_allowed");
  const { id } = tenant.admin;
  const admin = askAs(world.url, await tenant.tokenOf(id));
  assert.equal((await admin("resetFactors", { userId: id })).body.code, "own_account");
  assert.equal((await tenant.ask("resetFactors", { userId: person.id })).status, 200);
  assert.equal((await person.own("whoAmI")).status, 401);
  assert.equal((await signIn(world, person)).status, 200);
});

/** Two sign-ins at once, each with its own ticket, by one code. */
const race = async (t: TestContext, which: "app" | "recovery", twin?: Twin): Promise<void> => {
  const there = await startWorld(t, { twin });
  const person = await withApp(there, (await there.organization("Race")).ask);
  const code = which === "app" ? codeOf(person.secret) : (person.codes[0] ?? "");
  const tickets = [await ticketFor(person, there), await ticketFor(person, there)];
  const answers = await Promise.all(
    tickets.map((ticket) => there.open("signInWithFactor", { ticket, code })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
};

test("of two sign-ins at once by one code, one gets in", async (t) => {
  await race(t, "app");
  await race(t, "recovery");
});

testTwin("a twin that accepts a code again is detected", (t) =>
  assert.rejects(race(t, "app", acceptsAgain), { code: "ERR_ASSERTION" }),
);

testTwin("a twin that looks only at the password is detected", (t) =>
  assert.rejects(race(t, "app", forgetsFactors), { code: "ERR_ASSERTION" }),
);

/** A session without a fresh proof removes the factor. */
const removesLate = async (t: TestContext, twin?: Twin): Promise<void> => {
  const there = await startWorld(t, { twin });
  const { own, id } = await withApp(there, (await there.organization("Late")).ask);
  await there.database.change((tx) =>
    tx.updateTable("tokens").set({ proved_at: null }).where("user_id", "=", id).execute(),
  );
  assert.equal((await own("removeAuthenticator")).status, 403);
};

test("a stolen session does not remove a factor", (t) => removesLate(t));

testTwin("a twin that lets every session change factors is detected", (t) =>
  assert.rejects(removesLate(t, trustsSessions), { code: "ERR_ASSERTION" }),
);
