// Runs: sqlite-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { value } from "../cli/run.ts";
import { demandsNoPassword, trustsTickets } from "../twins/demanded-passwords.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create, suspend } from "../users/people.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld, type World } from "../world/world.ts";
import { codeOf, setUpApp } from "./factors.ts";

const world = await startWorld(test);
const { ask } = await world.tenant();
const { open } = world;

const CHOSEN = "four quiet herons at dawn";
const ended = failure("session_ended", "The session has ended. Sign in again.");

interface Login {
  readonly email: string;
  readonly password: string;
}

const signIn = ({ email, password }: Login, there: World = world) =>
  there.open("signIn", { login: email, password });

/** The ticket of somebody who must choose a new password. */
const ticketFor = async (person: Login, there: World = world): Promise<string> => {
  const { status, body, headers } = await signIn(person, there);
  const { ticket, ...refused } = body;
  const text = "Choose a new password before you sign in.";
  assert.deepEqual([status, refused], [403, failure("password_to_choose", text)]);
  assert.deepEqual(headers.getSetCookie(), []);
  return ticket;
};

const choose = (ticket: string, newPassword = CHOSEN, there: World = world) =>
  there.open("signInWithNewPassword", { ticket, newPassword });

const demandOf = async (userId: string, by: Ask = ask): Promise<unknown> => {
  const found = await by("findUsers", { userIds: [userId], withMustChoosePassword: true });
  return found.body.mustChoosePassword;
};

const historyOf = async (subjectId: string, by: Ask = ask) =>
  (await by("listHistory", { subjectId })).body.entries as {
    readonly kind: string;
    readonly number: number;
    readonly before: Record<string, unknown> | null;
    readonly after: Record<string, unknown> | null;
  }[];

/** Somebody with an app, of whom a new password is demanded. */
const withApp = async (there: World = world, by: Ask = ask) => {
  const person = await create(by);
  const own = askAs(there.url, (await signIn(person, there)).body.token);
  const { secret, codes } = await setUpApp(own);
  await by("editUser", { userId: person.id, mustChoosePassword: true });
  return { ...person, secret, codes };
};

const demanded = async (t: TestContext, twin?: Twin): Promise<void> => {
  const there = twin === undefined ? world : await startWorld(t, { twin });
  const by = twin === undefined ? ask : (await there.tenant()).ask;
  const person = await create(by, { mustChoosePassword: true });
  const ticket = await ticketFor(person, there);
  const { status, body, headers } = await choose(ticket, CHOSEN, there);
  assert.deepEqual([status, body.user?.id], [200, person.id]);
  assert.equal(headers.getSetCookie().length, 2);
  assert.equal((await askAs(there.url, body.token)("whoAmI")).status, 200);
  assert.equal((await signIn(person, there)).status, 401);
  assert.equal((await signIn({ ...person, password: CHOSEN }, there)).status, 200);
  assert.deepEqual(await demandOf(person.id, by), []);
  assert.equal(
    (await choose(ticket, "five quiet herons at dawn", there)).body.code,
    "session_ended",
  );
  const entries = await historyOf(person.id, by);
  // A refused sign-in is noted in the background.
  const kinds = entries.map(({ kind }) => kind).filter((kind) => kind !== "signInRefused");
  assert.deepEqual(kinds.toReversed(), ["userCreated", "passwordChanged", "signedIn", "signedIn"]);
  assert.equal(entries.at(-1)?.after?.mustChoosePassword, true);
  assert.doesNotMatch(JSON.stringify(entries), /v1\.|herons/);
};

test("a person of whom a new password is demanded chooses it with the right one, and is signed in", (t) =>
  demanded(t));

testTwin("a twin that opens a session by the former password is detected", (t) =>
  assert.rejects(demanded(t, demandsNoPassword), { code: "ERR_ASSERTION" }),
);

test("the new password keeps the rules of passwords, and is not the current one", async () => {
  const person = await create(ask, { mustChoosePassword: true });
  const ticket = await ticketFor(person);
  for (const [password, code] of [
    ["short", "password_length"],
    [person.email, "password_about_you"],
    ["passwordpassword", "password_common"],
    [person.password, "password_not_new"],
  ] as const) {
    const { status, body } = await choose(ticket, password);
    assert.deepEqual(
      [status, body.errors[0].code, body.errors[0].field],
      [400, code, "newPassword"],
    );
  }
  assert.equal((await choose(ticket)).status, 200);
});

test("the demand is made in creations, edits and resets, by the organization's choice too, and taken back", async () => {
  const tenant = await world.tenant();
  const plain = await create(tenant.ask);
  assert.equal((await signIn(plain)).status, 200);
  const { token } = (await signIn(plain)).body;
  const tag = async () =>
    (await tenant.ask("findUsers", { userIds: [plain.id] })).headers.get("etag");
  const before = await tag();
  const edited = await tenant.ask("editUser", { userId: plain.id, mustChoosePassword: true });
  assert.ok(!("mustChoosePassword" in edited.body.user));
  assert.notEqual(await tag(), before);
  assert.deepEqual(await demandOf(plain.id, tenant.ask), [plain.id]);
  await ticketFor(plain);
  // Open sessions go on.
  assert.equal((await askAs(world.url, token)("whoAmI")).status, 200);
  const [entry] = await historyOf(plain.id, tenant.ask);
  assert.deepEqual(
    [entry?.before, entry?.after],
    [{ mustChoosePassword: false }, { mustChoosePassword: true }],
  );
  assert.equal((await tenant.ask("undoChange", { number: entry?.number })).status, 200);
  assert.equal((await signIn(plain)).status, 200);

  await tenant.ask("editOrganization", { mustChoosePassword: true });
  await ticketFor(await create(tenant.ask));
  const spared = await create(tenant.ask, { mustChoosePassword: false });
  assert.equal((await signIn(spared)).status, 200);
  const reset = async (more: object) => {
    const { body } = await tenant.ask("resetPassword", { userId: plain.id, ...more });
    return { email: plain.email, password: body.password as string };
  };
  await ticketFor(await reset({}));
  const [told] = await historyOf(plain.id, tenant.ask);
  assert.deepEqual([told?.kind, told?.after], ["passwordReset", { mustChoosePassword: true }]);
  assert.equal((await signIn(await reset({ mustChoosePassword: false }))).status, 200);
  await tenant.ask("editOrganization", { mustChoosePassword: false });
  await ticketFor(await reset({ mustChoosePassword: true }));
  // A demand outlives a reset that does not speak of it.
  await ticketFor(await reset({}));
});

test("a second factor comes before the new password, and its code is used up", async () => {
  const person = await withApp();
  const refused = await signIn(person);
  assert.equal(refused.body.code, "second_factor_needed");
  const { ticket } = refused.body;
  assert.equal((await choose(ticket)).body.code, "session_ended", "of another step");
  const [recovery = "", other = ""] = person.codes;
  const next = await open("signInWithFactor", { ticket, code: recovery });
  assert.deepEqual([next.status, next.body.code], [403, "password_to_choose"]);
  assert.deepEqual(next.headers.getSetCookie(), []);
  const again = (await signIn(person)).body.ticket;
  const replayed = await open("signInWithFactor", { ticket: again, code: recovery });
  assert.equal(replayed.body.code, "wrong_code");
  assert.equal(
    (await open("signInWithFactor", { ticket, code: other })).body.code,
    "session_ended",
  );
  const { status, body } = await choose(next.body.ticket);
  assert.equal(status, 200);
  const own = askAs(world.url, body.token);
  // With the factor, and fresh.
  assert.equal((await own("makeRecoveryCodes")).status, 200);
  const [signedIn] = (await historyOf(person.id)).filter(({ kind }) => kind === "signedIn");
  assert.deepEqual(signedIn?.after, { with: "recovery code" });
  const later = await signIn({ ...person, password: CHOSEN });
  assert.equal(later.body.code, "second_factor_needed");
});

test("a person who must set up a factor does so after choosing the new password", async () => {
  const tenant = await world.tenant();
  const person = await create(tenant.ask, { mustChoosePassword: true });
  await tenant.ask("editOrganization", { secondFactorFor: "everybody" });
  const { body } = await choose(await ticketFor(person));
  const own = askAs(world.url, body.token);
  assert.equal((await own("listRooms", {})).body.code, "factor_to_set_up");
  await setUpApp(own);
  assert.equal((await own("listRooms", {})).status, 200);
});

/** Tickets that end because the account changed. */
const outdated = async (t: TestContext, twin?: Twin): Promise<void> => {
  const there = twin === undefined ? world : await startWorld(t, { twin });
  const by = twin === undefined ? ask : (await there.tenant()).ask;
  const person = await withApp(there, by);
  const first = (await signIn(person, there)).body.ticket;
  const step = { ticket: first, code: codeOf(person.secret) };
  const { ticket } = (await there.open("signInWithFactor", step)).body;
  await by("resetFactors", { userId: person.id });
  await assertFails(choose(ticket, CHOSEN, there), 401, ended);
};

test("a ticket ends when second factors were reset after it", (t) => outdated(t));

testTwin("a twin that does not look at factors again is detected", (t) =>
  assert.rejects(outdated(t, trustsTickets), { code: "ERR_ASSERTION" }),
);

test("a ticket ends when a second factor is added, and with every other new password", async () => {
  const person = await create(ask);
  const own = askAs(world.url, (await signIn(person)).body.token);
  await ask("editUser", { userId: person.id, mustChoosePassword: true });
  const ticket = await ticketFor(person);
  await setUpApp(own);
  await assertFails(choose(ticket), 401, ended);
  const other = await create(ask, { mustChoosePassword: true });
  const theirs = await ticketFor(other);
  await ask("resetPassword", { userId: other.id });
  await assertFails(choose(theirs), 401, ended);
  await assertFails(choose("v1.x.y"), 401, ended);
});

test("the way to a new password passes no suspension and no organization of providers", async () => {
  const tenant = await world.tenant();
  const held = await create(tenant.ask, { mustChoosePassword: true });
  const ticket = await ticketFor(held);
  await suspend(tenant.ask, held.id);
  assert.equal((await choose(ticket)).body.code, "account_suspended");
  assert.equal((await signIn(held)).body.code, "account_suspended");
  const other = await create(tenant.ask, { mustChoosePassword: true });
  const theirs = await ticketFor(other);
  const factor = await withApp(world, tenant.ask);
  const second = (await signIn(factor)).body.ticket;
  await world.database.change((tx) =>
    tx
      .updateTable("organizations")
      .set({ settings: JSON.stringify({ signInBy: "providers" }) })
      .where("id", "=", tenant.id)
      .execute(),
  );
  assert.equal((await choose(theirs)).body.code, "provider_required");
  assert.equal((await signIn(other)).body.code, "provider_required");
  const step = { ticket: second, code: factor.codes[0] ?? "" };
  assert.equal((await open("signInWithFactor", step)).body.code, "provider_required");
});

const twice = async (t: TestContext, twin?: Twin): Promise<void> => {
  const there = twin === undefined ? world : await startWorld(t, { twin });
  const by = twin === undefined ? ask : (await there.tenant()).ask;
  const ticket = await ticketFor(await create(by, { mustChoosePassword: true }), there);
  const chosen = ["four quiet herons at dawn", "five quiet herons at dawn"];
  const answers = await Promise.all(chosen.map((one) => choose(ticket, one, there)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
};

test("of two uses of a ticket at once, one chooses the password", (t) => twice(t));

testTwin("a twin that lets a ticket choose twice is detected", (t) =>
  assert.rejects(twice(t, trustsTickets), { code: "ERR_ASSERTION" }),
);

test("the operator demands a new password with a reset and with an administrator", async () => {
  const tenant = await world.tenant();
  const person = await create(tenant.ask);
  const reset = ["user", "reset-password", person.email, "--must-choose"];
  await ticketFor(await value(world.environment, ...reset));
  const boss = ["--email", `boss-${person.email}`, "--name", "Boss", "--must-choose"];
  const made = ["user", "create-admin", "--org", tenant.id, ...boss];
  await ticketFor(await value(world.environment, ...made));
});
