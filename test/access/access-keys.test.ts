import assert from "node:assert/strict";
import { test } from "node:test";
import { createSignedIn } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { tokenStatus } from "./sessions.ts";

const { open, organization } = await startWorld(test);
const exchange = (accessKey: object) => open("POST /api/siteSetting/getAuthToken", accessKey);
const notFound = failure("access_key_not_found", "Access key not found.");

test("the answer to a new key shows its secret, once", async () => {
  const { id, ask, accessKey: first } = await organization("Making");
  const { status, headers, body } = await ask("POST /api/accessKey");
  assert.equal(status, 201);
  assert.equal(headers.get("cache-control"), "no-store");
  const { accessKey, secretAccessKey, createdAt } = body.accessKey;
  const settings = { name: "", scope: "everything", expiresAt: null, lastUsedAt: null };
  assert.deepEqual(body, {
    success: true,
    accessKey: { accessKey, createdAt, ...settings, secretAccessKey },
  });
  assert.match(accessKey, new RegExp(`^${id}-\\d+-\\d+$`));
  assert.match(secretAccessKey, /^[0-9a-f]{64}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const listed = await ask("GET /api/accessKey");
  assert.equal(listed.status, 200);
  assert.deepEqual(listed.body, {
    success: true,
    accessKeys: [
      { accessKey: first.accessKey, createdAt: first.createdAt, ...settings },
      { accessKey, createdAt, ...settings },
    ],
  });
});

test("keys rotate without downtime: both work, and a removed key ends with its tokens at once", async () => {
  const { ask, token, accessKey: old } = await organization("Rotating");
  const { accessKey: fresh } = (await ask("POST /api/accessKey")).body;
  const [before, after] = [
    (await exchange(old)).body.authToken.token,
    (await exchange(fresh)).body.authToken.token,
  ];
  for (const one of [token, before, after]) assert.equal(await tokenStatus(open, one), 200);
  const removed = await open(`DELETE /api/accessKey/${old.accessKey}`, undefined, bearer(after));
  assert.equal(removed.status, 200);
  assert.deepEqual(removed.body, { success: true });
  for (const one of [token, before]) assert.equal(await tokenStatus(open, one), 401);
  assert.equal(await tokenStatus(open, after), 200);
  const { status, body } = await exchange(old);
  assert.deepEqual([status, body.code], [401, "wrong_access_key"]);
  const { accessKeys } = (await open("GET /api/accessKey", undefined, bearer(after))).body;
  assert.deepEqual(
    accessKeys.map((key: { readonly accessKey: string }) => key.accessKey),
    [fresh.accessKey],
  );
});

test("an unknown key and one of another organization get the same answer, and nothing is removed", async () => {
  const one = await organization("One");
  const other = await organization("Other");
  for (const id of [
    other.accessKey.accessKey,
    "unknown",
    `${one.id}-1-1`,
    "%27",
    "x".repeat(200),
  ]) {
    await assertFails(one.ask(`DELETE /api/accessKey/${id}`), 404, notFound);
  }
  assert.equal((await other.ask("GET /api/accessKey")).body.accessKeys.length, 1);
});

test("removing a key leaves the people signed in", async () => {
  const { ask, accessKey } = await organization("People stay");
  const { token } = await createSignedIn(open, ask, { admin: true });
  await open(`DELETE /api/accessKey/${accessKey.accessKey}`, undefined, bearer(token));
  assert.equal(await tokenStatus(open, token), 200);
  assert.deepEqual(
    (await open("GET /api/accessKey", undefined, bearer(token))).body.accessKeys,
    [],
  );
});

test("a key that removes itself gets its answer, and then ends", async () => {
  const { ask, accessKey } = await organization("Itself");
  assert.equal((await ask(`DELETE /api/accessKey/${accessKey.accessKey}`)).status, 200);
  assert.equal((await ask("GET /api/accessKey")).status, 401);
});
