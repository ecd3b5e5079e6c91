import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { bearer } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { assertFails } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";

const { database, open, organization, log, first } = await startWorld(test, {
  environment: { LOG_LEVEL: "debug" },
});
const request = "POST /api/siteSetting/getAuthToken";

const failure = (code: string, message: string, errors?: object[]) => ({
  authToken: { ok: false, message },
  code,
  ...(errors === undefined ? {} : { errors }),
});
const wrong = failure("wrong_access_key", "Invalid access key or secret access key");

test("a key and its secret give a token for everything in the organization", async () => {
  const { accessKey } = await organization("Exchange");
  assert.match(accessKey.accessKey, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+-\d+$/);
  assert.match(accessKey.secretAccessKey, /^[0-9a-f]{64}$/);
  const { status, headers, body } = await open(request, accessKey);
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("set-cookie"), null);
  const { token } = body.authToken;
  assert.deepEqual(body, {
    authToken: { ok: true, message: "Auth token generated successfully", token },
  });
  assert.match(token, /^[\w-]{43}$/);
  assert.equal((await open("GET /api/organization", undefined, bearer(token))).status, 200);
});

test("every exchange gives a new token, and earlier ones stay valid", async () => {
  const { ask, accessKey, token } = await organization("Twice");
  const { body } = await open(request, accessKey);
  assert.notEqual(body.authToken.token, token);
  assert.equal((await ask("GET /api/organization")).status, 200);
});

test("an unknown key and a wrong secret get the same answer, with WWW-Authenticate", async () => {
  const one = await organization("One");
  const other = await organization("Other");
  const { accessKey, secretAccessKey } = one.accessKey;
  for (const sent of [
    { accessKey: "unknown", secretAccessKey },
    { accessKey: `${one.id}-1-2`, secretAccessKey },
    { accessKey: accessKey.toUpperCase(), secretAccessKey },
    { accessKey, secretAccessKey: secretAccessKey.toUpperCase() },
    { accessKey, secretAccessKey: other.accessKey.secretAccessKey },
    { accessKey, secretAccessKey: secretAccessKey.slice(0, -1) },
    { accessKey: other.accessKey.accessKey, secretAccessKey },
  ]) {
    await assertFails(open(request, sent), 401, wrong);
  }
  const { headers } = await open(request, { accessKey: "x", secretAccessKey: "y" });
  assert.equal(headers.get("www-authenticate"), 'Bearer realm="parley"');
});

test("the use of a key and a refusal are entries in the history, at intervals", async () => {
  const { ask, accessKey } = await organization("Told");
  const exchange = (secretAccessKey = accessKey.secretAccessKey) =>
    open(request, { ...accessKey, secretAccessKey });
  const exchanges = async () => {
    const kind = "signedIn,signInRefused";
    const { entries } = (await ask("listHistory", { subjectId: accessKey.accessKey, kind })).body;
    return (entries as readonly HistoryEntry[]).map((entry) => [
      entry.kind,
      entry.after?.reason,
      entry.actor.kind,
      entry.actor.id,
      entry.actor.address,
    ]);
  };
  const used = ["signedIn", undefined, "accessKey", accessKey.accessKey, "127.0.0.1"];
  await Promise.all([exchange(), exchange(), exchange()]);
  assert.equal((await exchange()).status, 200);
  assert.deepEqual(await exchanges(), [used]);
  // A refusal is written after its answer, so each is waited for before time moves.
  const written = (count: number) =>
    until("the refusal is an entry", async () => (await exchanges()).length === count);
  const refused = ["signInRefused", "wrong_access_key", "anyone", null, "127.0.0.1"];
  await exchange("0".repeat(64));
  await written(2);
  assert.deepEqual(await exchanges(), [refused, used]);
  // As if a day had passed.
  const past = new Date(0).toISOString();
  await database.change((tx) => tx.updateTable("throttles").set({ used_until: past }).execute());
  await exchange();
  assert.deepEqual(await exchanges(), [used, refused, used]);
  // An invitation by an application includes the secret too.
  const invite = { accessKey: accessKey.accessKey, secretAccessKey: "0".repeat(64), roomId: "r" };
  const { body } = await open("POST /api/siteSetting/sessionToken", invite);
  assert.equal(body.code, "wrong_access_key");
  await written(4);
  assert.deepEqual(await exchanges(), [refused, used, refused, used]);
  for (let n = 0; n < 3; n += 1) {
    await exchange("0".repeat(64));
    await open("POST /api/siteSetting/sessionToken", invite);
  }
  assert.deepEqual(await exchanges(), [refused, used, refused, used]);
});

test("missing and wrong fields are refused by name", async () => {
  const missing = ["accessKey", "secretAccessKey"].map((field) => ({
    field,
    message: `${field} is required.`,
  }));
  for (const body of [{}, undefined, { accessKey: "", secretAccessKey: null }]) {
    await assertFails(
      open(request, body),
      400,
      failure("invalid_input", "accessKey is required.", missing),
    );
  }
  const message = "secretAccessKey must be text of 1 to 128 characters";
  await assertFails(
    open(request, { accessKey: "x", secretAccessKey: 5 }),
    400,
    failure("invalid_input", message, [{ field: "secretAccessKey", message }]),
  );
  const object = "The body must be a JSON object.";
  await assertFails(
    open(request, []),
    400,
    failure("invalid_input", object, [{ field: "", message: object }]),
  );
});

test("no token is needed, and an expired one does no harm", async () => {
  const { accessKey } = await organization("With a dead token");
  assert.equal((await open(request, accessKey, bearer("dead"))).status, 200);
});

test("a token lives one hour by the database's clock, and then counts as unknown", async () => {
  const { ask, id } = await organization("Hour");
  const { body } = await ask("GET /api/session");
  const left = Date.parse(body.expiresAt) - Date.now();
  assert.ok(left > 3_590_000 && left <= 3_600_000, `${left}`);
  const expired = new Date(Date.now() - 1).toISOString();
  await database.change((tx) =>
    tx
      .updateTable("tokens")
      .set({ expires_at: expired })
      .where("organization_id", "=", id)
      .execute(),
  );
  const [dead, unknown] = [
    await ask("GET /api/session"),
    await open("GET /api/session", undefined, bearer("x".repeat(43))),
  ];
  assert.deepEqual([dead.status, dead.body], [401, unknown.body]);
  assert.equal(dead.headers.get("www-authenticate"), unknown.headers.get("www-authenticate"));
});

test("P-PWD-10: the right secret gives a token after any number of wrong ones from the same address", async () => {
  const { accessKey } = await organization("Guessed");
  const guess = () => open(request, { ...accessKey, secretAccessKey: "0".repeat(64) });
  for (let round = 0; round < 5; round += 1) {
    const guesses = Array.from({ length: 30 }, () => assertFails(guess(), 401, wrong));
    assert.equal((await open(request, accessKey)).status, 200);
    await Promise.all(guesses);
  }
});

test("tokens and secrets are stored as digests only, and never logged", async () => {
  const { token, accessKey } = await organization("Digests");
  const tables = ["tokens", "access_keys", "throttles", "organizations"] as const;
  for (const table of tables) {
    const rows = JSON.stringify(await database.read.selectFrom(table).selectAll().execute());
    for (const secret of [token, accessKey.secretAccessKey]) assert.ok(!rows.includes(secret));
  }
  for (const secret of [token, accessKey.secretAccessKey, first.accessKey.secretAccessKey]) {
    assert.ok(!log.join("").includes(secret));
  }
});
