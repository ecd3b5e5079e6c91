// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { type Answer, askAs, askOnce, insist } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { assertLimited, assertShared } from "./tries.ts";

const soak = process.env.PARLEY_SOAK === "1";
const world = await startWorld(test, { environment: { TRUST_PROXY: "loopback" } });
const { ask } = await world.organization("Throttled");
// Repeats a try that a busy service rejects, because it does not count.
const open = insist(world.open);

/** The header of a simulated address, as the trusted proxy on this machine reports it. */
const from = (address: string) => ({ "x-forwarded-for": address });
const signIn = (login: string, password: string, address: string): Promise<Answer> =>
  open("POST /api/session", { login, password }, from(address));

/** Makes as many simultaneous wrong tries as are checked, until the next one has to wait for some seconds. */
const useUp = async (tryOnce: (at: number) => Promise<Answer>): Promise<void> => {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => tryOnce(at)));
    for (const { status } of answers) assert.ok(status === 401 || status === 429, `${status}`);
    const waits = answers.map(({ headers }) => Number(headers.get("retry-after") ?? 0));
    if (Math.max(...waits) > 3) return;
  }
};

/**
 * Uses up an allowance with wrong tries, and makes a right one at once.
 *
 * @returns its answer: on a busy machine a try that comes after the stated wait is repeated
 */
const refusedAfter = async (
  wrong: (at: number) => Promise<Answer>,
  right: () => Promise<Answer>,
): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    await useUp(wrong);
    const answer = await right();
    if (answer.status === 429 || tries === 10) return answer;
  }
};

const waitFor = async ({ headers }: Answer): Promise<void> => {
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 5, `told to wait ${seconds} s`);
  // The promise is about the announced seconds.
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 50));
};

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

test("P-PWD-6: after any number of wrong tries the right password works after the stated wait", async () => {
  const { email, password } = await create(ask);
  const tries = soak ? 1000 : 30;
  const wrong = () => signIn(email, "not the password", "198.51.100.1");
  await assertShared(tries, wrong, "one login from one address");
  const slowed = await refusedAfter(wrong, () => signIn(email, password, "198.51.100.1"));
  assert.equal(slowed.status, 429);
  assert.match(slowed.headers.get("ratelimit") ?? "", /^"pair";r=0;t=\d+$/);
  assert.equal(slowed.headers.get("ratelimit-policy"), '"pair";q=5;w=25');
  await waitFor(slowed);
  assert.equal((await signIn(email, password, "198.51.100.1")).status, 200);
  // The right password also resets the count of wrong ones.
  const again = await Promise.all(
    Array.from({ length: 4 }, () => signIn(email, password, "198.51.100.1")),
  );
  assert.deepEqual(statuses(again), [200, 200, 200, 200]);
});

test("P-PWD-6: neither another address nor another account is slowed down", async () => {
  const [one, other] = [await create(ask), await create(ask)];
  const slowed = await refusedAfter(
    () => signIn(one.email, "wrong", "198.51.100.2"),
    () => signIn(one.email, one.password, "198.51.100.2"),
  );
  assert.equal(slowed.status, 429);
  assert.equal((await signIn(one.email, one.password, "198.51.100.3")).status, 200);
  assert.equal((await signIn(other.email, other.password, "198.51.100.2")).status, 200);
});

test("P-PWD-6: an IPv6 network counts as one address", async () => {
  const { email, password } = await create(ask);
  const slowed = await refusedAfter(
    (at) => signIn(email, "wrong", `2001:db8:1:2::${at}`),
    () => signIn(email, password, "2001:db8:1:2:ffff::1"),
  );
  assert.equal(slowed.status, 429);
  assert.equal((await signIn(email, password, "2001:db8:1:3::1")).status, 200);
});

test("P-PWD-6: tries are counted over all processes", async () => {
  const { email, password } = await create(ask);
  const there = insist(askAs(await world.second(), undefined));
  const right = { login: email, password };
  const slowed = await refusedAfter(
    () => signIn(email, "wrong", "198.51.100.4"),
    () => there("POST /api/session", right, from("198.51.100.4")),
  );
  assert.equal(slowed.status, 429);
});

test("P-PWD-6: an X-Forwarded-For header from an untrusted client changes nothing", async (t) => {
  const alone = await startWorld(t);
  const openly = insist(alone.open);
  const body = { login: alone.first.admin.email, password: "wrong" };
  const tryOnce = (at: number) => openly("POST /api/session", body, from(`198.51.100.${at}`));
  await assertShared(8, tryOnce, "the address of the connection");
});

test("every character of a password counts, beyond the 72nd too, and so does case", async () => {
  const { email, password } = await create(ask);
  const session = await signIn(email, password, "198.51.100.5");
  const { token } = session.body;
  const long = `Correct horse ${"battery staple ".repeat(6)}!`;
  assert.ok(long.length > 72);
  const changed = await askAs(world.url, token)("PUT /api/session/password", {
    password,
    newPassword: long,
  });
  assert.equal(changed.status, 200);
  for (const twin of [long.slice(0, 72), `${long.slice(0, -1)}?`, long.toLowerCase()]) {
    assert.equal((await signIn(email, twin, "198.51.100.5")).status, 401);
  }
  assert.equal((await signIn(email, long, "198.51.100.5")).status, 200);
});

test("one holder's requests are limited to RATE_LIMIT, and other holders are not slowed down", async (t) => {
  const limited = await startWorld(t, { environment: { RATE_LIMIT: "10" } });
  const anyone = askOnce(limited.url, undefined);
  const { accessKey, admin } = limited.first;
  const exchange = (ask = anyone) => ask("POST /api/siteSetting/getAuthToken", accessKey);
  const byKey = askOnce(limited.url, (await exchange(limited.open)).body.authToken.token);
  const answers = await assertLimited(200, () => byKey("GET /api/session"));
  // Fifty at once, including the exchange.
  assert.ok(statuses(answers).filter((status) => status !== 429).length >= 49);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.headers.get("ratelimit-policy"), '"token";q=50;w=5');
  assert.match(refused?.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  const { email: login, password } = admin;
  const person = await limited.open("POST /api/session", { login, password });
  assert.equal((await askAs(limited.url, person.body.token)("GET /api/session")).status, 200);
  // Another token of the same holder does not get a second allowance, and its exchange is a request too.
  await assertLimited(200, () => exchange());
  const guess = { accessKey: accessKey.accessKey, secretAccessKey: "x" };
  await assertLimited(401, () => anyone("POST /api/siteSetting/getAuthToken", guess));
});
