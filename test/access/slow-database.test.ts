import assert from "node:assert/strict";
import { test } from "node:test";
import { insist } from "../world/ask.ts";
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
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ");
  assert.equal((await signIn(cookie)).status, 200);
  const renewed = await open("POST /api/session/renew", undefined, { cookie });
  assert.equal(renewed.status, 200);
  delay(0);
});
