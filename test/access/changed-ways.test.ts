// Runs: sqlite-first

import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { takePasskey } from "../../server/users/passkeys.ts";
import { letterTo, linksOf } from "../letters/mailbox.ts";
import { hidesNotices } from "../twins/notices.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create } from "../users/people.ts";
import { type Ask, askAs, bearer } from "../world/ask.ts";
import { startSink } from "../world/sink.ts";
import { startWorld, type World } from "../world/world.ts";
import { setUpApp } from "./factors.ts";
import { addPasskey, newDevice } from "./passkey.ts";

/* People get an email when it changes how they sign in. */

const sink = await startSink();
after(() => sink.stop());
const environment = { SMTP_URL: sink.url, PUBLIC_URL: "https://meet.example.org" };
const world = await startWorld(test, {
  environment: { ...environment, TRUST_PROXY: "loopback" },
});
const tenant = await world.tenant();
const { open } = world;

const CHOSEN = "four quiet herons at dawn";
const agent = { "user-agent": "Mozilla/5.0 Firefox/140", "x-forwarded-for": "203.0.113.9" };

/** A signed-in person, whose emails so far are out of the sink. */
const person = async (more: object = {}) => {
  const made = await create(tenant.ask, more);
  const login = { login: made.email, password: made.password };
  const { token } = (await open("signIn", login, agent)).body;
  await letterTo(sink, made.email);
  sink.letters.length = 0;
  const headers = { ...bearer(token), "x-forwarded-for": "203.0.113.9" };
  const own = ((id: never, input: never) => open(id, input, headers)) as unknown as Ask;
  return { ...made, own, token };
};

/** Takes the only email to an address out of the sink. @returns its text */
const toldTo = async (address: string) => {
  const letter = await letterTo(sink, address);
  sink.letters.length = 0;
  const text = letter.parsed.text ?? "";
  assert.equal(letter.parsed.subject, "How you sign in to Parley has changed");
  assert.deepEqual(new Set(linksOf(letter)), new Set(["https://meet.example.org/account"]));
  assert.doesNotMatch(text, /otpauth|herons|v1\./);
  const fact = (label: string) => new RegExp(`^${label}: (.*)$`, "m").exec(text)?.[1];
  return { what: fact("What"), address: fact("Address"), browser: fact("Browser"), text };
};

const own = { address: "203.0.113.9", browser: "Mozilla/5.0 Firefox/140" };
const byOthers = { address: undefined, browser: undefined };
const assertTold = async (email: string, what: string, where: object) => {
  const { text, ...told } = await toldTo(email);
  assert.deepEqual(told, { what, ...where });
  assert.match(text, /^When: \w+, \w+ \d+, \d{4}/m);
};

test("factors, recovery codes and passkeys that are set up or removed cause an email each", async () => {
  const ann = await person();
  await setUpApp(ann.own);
  await assertTold(ann.email, "An authenticator app was set up", own);
  await ann.own("makeRecoveryCodes");
  await assertTold(ann.email, "New recovery codes replaced the former ones", own);
  const { passkey } = await addPasskey(ann.own, newDevice());
  await assertTold(ann.email, "A passkey was added", own);
  await ann.own("removeAuthenticator");
  await assertTold(ann.email, "The authenticator app was removed", own);
  await ann.own("removePasskey", { id: passkey.id });
  await assertTold(ann.email, "A passkey was removed", own);
  await setUpApp(ann.own);
  await assertTold(ann.email, "An authenticator app was set up", own);
  await tenant.ask("resetFactors", { userId: ann.id });
  await assertTold(ann.email, "All second factors and passkeys were removed", byOthers);
});

test("a new password causes an email no matter who sets it, and a new address causes one at both addresses", async () => {
  const ann = await person();
  await ann.own("changePassword", { password: ann.password, newPassword: CHOSEN });
  await assertTold(ann.email, "The password was changed", own);
  await open("sendPasswordLink", { login: ann.email });
  const [link = ""] = linksOf(await letterTo(sink, ann.email));
  sink.letters.length = 0;
  const code = new URL(link).hash.slice(1);
  await open("choosePassword", { code, newPassword: "five quiet herons at dawn" }, agent);
  await assertTold(ann.email, "A password was chosen by a link in an email", own);
  const reset = await tenant.ask("resetPassword", { userId: ann.id, mustChoosePassword: true });
  assert.match((await letterTo(sink, ann.email)).parsed.text ?? "", /An administrator gave/);
  sink.letters.length = 0;
  const login = { login: ann.email, password: reset.body.password };
  const { ticket } = (await open("signIn", login)).body;
  await open("signInWithNewPassword", { ticket, newPassword: "six quiet herons at dawn" }, agent);
  await assertTold(ann.email, "The password was changed", own);
  const email = `moved-${ann.email}`;
  await tenant.ask("editUser", { userId: ann.id, email });
  const [before, now] = [await letterTo(sink, ann.email), await letterTo(sink, email)];
  for (const { parsed } of [before, now]) {
    assert.match(parsed.text ?? "", /^What: The email address was changed$/m);
    assert.doesNotMatch(parsed.text ?? "", /203\.0\.113|moved-/);
  }
  sink.letters.length = 0;
  // Another spelling of the same address is no change.
  const shouted = email.replace("moved", "MOVED");
  await tenant.ask("editUser", { userId: ann.id, email: shouted, name: "Ann" });
  await tenant.ask("editUser", { userId: ann.id, language: "de" });
  await tenant.ask("resetFactors", { userId: ann.id });
  const letter = await letterTo(sink, shouted);
  assert.equal(letter.parsed.subject, "Ihre Anmeldung bei Parley hat sich geändert");
  assert.match(letter.parsed.text ?? "", /^Was: Alle zweiten Faktoren und Passkeys/m);
  sink.letters.length = 0;
});

test("the operator's removal of a passkey causes an email, and an account that nobody uses gets none", async () => {
  const ann = await person();
  const { passkey } = await addPasskey(ann.own, newDevice());
  await toldTo(ann.email);
  await openOrganization(world.database, tenant.id, operator).change(async (change) => {
    const row = await change.tx.selectFrom("users").selectAll().where("id", "=", ann.id);
    await takePasskey(change, await row.executeTakeFirstOrThrow(), passkey.id);
  });
  await assertTold(ann.email, "A passkey was removed", byOthers);
  const fresh = await create(tenant.ask);
  await letterTo(sink, fresh.email);
  await tenant.ask("editUser", { userId: fresh.id, email: `moved-${fresh.email}` });
  await tenant.ask("resetFactors", { userId: fresh.id });
  const { letters } = (await tenant.ask("listLetters", { limit: 100 })).body;
  const kinds = letters
    .filter(({ userId }: { readonly userId: string }) => userId === fresh.id)
    .map(({ kind }: { readonly kind: string }) => kind);
  assert.deepEqual(kinds, ["welcome"]);
  sink.letters.length = 0;
});

/** A mail server that is away while somebody changes factors and then the password. */
const hidden = async (t: TestContext, twin?: Twin): Promise<void> => {
  const away: World = await startWorld(t, {
    environment: { ...environment, SMTP_URL: "smtp://127.0.0.1:9" },
    twin,
  });
  const there = await away.tenant();
  const ann = await create(there.ask);
  const { token } = (await away.open("signIn", { login: ann.email, password: ann.password })).body;
  const own = askAs(away.url, token);
  await setUpApp(own);
  await own("changePassword", { password: ann.password, newPassword: CHOSEN });
  const { letters } = (await there.ask("listLetters", { limit: 100 })).body;
  const states = letters
    .filter(({ userId }: { readonly userId: string }) => userId === ann.id)
    .map(({ kind, state }: Record<string, string>) => `${kind} ${state}`);
  assert.deepEqual(states, [
    "sign-in-changed waiting",
    "sign-in-changed waiting",
    "welcome withdrawn",
  ]);
};

test("a new password does not withdraw the email about what was changed before", (t) => hidden(t));

test("a revocation hides no change of the email address before, during and after it", async () => {
  const ann = await person();
  const addresses = [ann.email, ...[1, 2].map((n) => `moved-${n}-${ann.email}`)];
  const [, second = "", third = ""] = addresses;
  // At once, before the email can leave.
  const edited = tenant.ask("editUser", { userId: ann.id, email: second });
  await Promise.all([edited, tenant.ask("revokeUsers", [{ userId: ann.id }])]);
  await tenant.ask("editUser", { userId: ann.id, email: third });
  await tenant.ask("reactivateUser", { userId: ann.id });
  await sink.waitFor(() => sink.letters.length >= 4);
  const told = sink.letters.map(({ to }) => to[0]).sort();
  assert.deepEqual(told, [ann.email, second, second, third].sort());
  for (const { parsed } of sink.letters) {
    assert.match(parsed.text ?? "", /^What: The email address was changed$/m);
  }
  sink.letters.length = 0;
});

testTwin("a twin that withdraws such emails is detected", (t) =>
  assert.rejects(hidden(t, hidesNotices), { code: "ERR_ASSERTION" }),
);
