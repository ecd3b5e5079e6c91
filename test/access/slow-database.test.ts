// Runs: postgres, waits

import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { cookieOf, insist } from "../world/ask.ts";
import { startLatePostgres } from "../world/late-postgres.ts";
import { startWorld } from "../world/world.ts";

test("people sign in and renew their session while each answer of PostgreSQL is half a second late", async (t) => {
  const { environment, first } = await startWorld(t);
  const { url, delay } = await startLatePostgres(t, environment.DATABASE_URL ?? "");
  const late = await startWorld(t, { place: environment, environment: { DATABASE_URL: url } });
  // A busy machine adds to the database's seconds: a request that is answered too late is repeated.
  const open = insist(late.open);
  const { email: login, password } = first.admin;
  const signIn = (cookie = "") => open("POST /api/session", { login, password }, { cookie });
  // Its connections are open now.
  await Promise.all(Array.from({ length: 4 }, () => signIn()));
  delay(500);
  const begun = performance.now();
  const answer = await signIn();
  t.diagnostic(`signed in after ${Math.round(performance.now() - begun)} ms`);
  assert.equal(answer.status, 200);
  const cookie = cookieOf(answer);
  assert.equal((await signIn(cookie)).status, 200);
  const renewed = await open("POST /api/session/renew", undefined, { cookie });
  assert.equal(renewed.status, 200);
  delay(0);
});

test("a browser that somebody else used, or that knew an older password, signs in while each answer of PostgreSQL is half a second late", async (t) => {
  const { environment } = await startWorld(t);
  const { url, delay } = await startLatePostgres(t, environment.DATABASE_URL ?? "");
  const late = await startWorld(t, { place: environment, environment: { DATABASE_URL: url } });
  const open = insist(late.open);
  const { ask } = await late.tenant();
  const [ann, bob] = [await create(ask), await create(ask)];
  const signIn = (login: string, password: string, cookie = "") =>
    open("POST /api/session", { login, password }, { cookie });
  const cookie = cookieOf(await signIn(ann.email, ann.password));
  const reset = await ask("resetPassword", { userId: ann.id });
  await Promise.all(Array.from({ length: 4 }, () => signIn(bob.email, bob.password)));
  delay(500);
  for (const [who, email, password] of [
    ["somebody else", bob.email, bob.password],
    ["with the new password", ann.email, reset.body.password],
  ]) {
    const begun = performance.now();
    assert.equal((await signIn(email, password, cookie)).status, 200, who);
    t.diagnostic(`${who}: signed in after ${Math.round(performance.now() - begun)} ms`);
  }
  delay(0);
});
