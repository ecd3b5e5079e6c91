import assert from "node:assert/strict";
import { test } from "node:test";
import { digestOf } from "../../server/lib/digest.ts";
import { create } from "../users/people.ts";
import { startWorld } from "../world/world.ts";
import { signInWithCookie, tokenStatus, withCookie } from "./sessions.ts";

const { database, open, organization } = await startWorld(test);
const { ask, id: organization_id, accessKey } = await organization("Many tokens");

const LIVING = 1_000;
const HOUR_MS = 3_600_000;

type Holder = { readonly user_id: string } | { readonly access_key_id: string };

/** Adds the largest number of older tokens; the first one is the oldest. */
const fill = async (holder: Holder): Promise<void> => {
  const rows = Array.from({ length: LIVING }, (_, n) => ({
    digest: digestOf(`${JSON.stringify(holder)} ${n}`),
    purpose: "access" as const,
    organization_id,
    user_id: null,
    access_key_id: null,
    ...holder,
    created_at: new Date(Date.now() - HOUR_MS + n * 1000).toISOString(),
    expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
  }));
  await database.change(async (tx) => {
    for (let from = 0; from < LIVING; from += 100) {
      await tx
        .insertInto("tokens")
        .values(rows.slice(from, from + 100))
        .execute();
    }
  });
};

const livingOf = async (holder: Holder): Promise<number> => {
  const [[column = "", value] = []] = Object.entries(holder);
  const rows = await database.read
    .selectFrom("tokens")
    .select("digest")
    .where(column as "user_id", "=", value ?? "")
    .where("purpose", "=", "access")
    .execute();
  return rows.length;
};

test("an access key has at most a thousand living tokens: the oldest ends", async () => {
  const holder = { access_key_id: accessKey.accessKey };
  await fill(holder);
  for (let n = 0; n < 3; n += 1) {
    const { body } = await open("POST /api/siteSetting/getAuthToken", accessKey);
    assert.equal(await tokenStatus(open, body.authToken.token), 200);
    assert.equal(await livingOf(holder), LIVING);
  }
});

test("a person has at most a thousand living tokens, however often a session is renewed", async () => {
  const { id: user_id, email, password } = await create(ask);
  const { cookie } = await signInWithCookie(open, email, password);
  await fill({ user_id });
  for (let n = 0; n < 3; n += 1) {
    const { body } = await open("POST /api/session/renew", undefined, withCookie(cookie));
    assert.equal(await tokenStatus(open, body.token), 200);
    assert.equal(await livingOf({ user_id }), LIVING);
  }
});
