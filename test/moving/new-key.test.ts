import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createRoom, deliveries, make } from "../webhooks/made.ts";
import { startReceiver, verify } from "../webhooks/receiver.ts";
import { askAs } from "../world/ask.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { emailsIn } from "../world/files.ts";
import { startProcess, until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { type Environment, environmentOf, parley, secret } from "./command-line.ts";
import { fill, opened } from "./rows.ts";

test("P-OPS-9: restore --new-key brings everything back without the lost key, except what it sealed", async (t) => {
  const from = await emptyPlace(t);
  await fill(from, 7);
  const email = "ann@example.org";
  // A second letter, which was refused and could be tried again.
  await opened(from, async ({ change }) => {
    await change(async (tx) => {
      const letter = await tx.selectFrom("letters").selectAll().executeTakeFirstOrThrow();
      const refused = { ...letter, id: "refused", state: "refused" as const };
      await tx.insertInto("letters").values(refused).execute();
      await tx
        .updateTable("users")
        .set({ email, email_key: email })
        .where("id", "=", "u1")
        .execute();
    });
  });
  const file = join(from.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(from), "backup", file)).code, 0);

  const place = await emptyPlace(t);
  const env: Environment = { ...environmentOf(place), PARLEY_SECRET: "cd".repeat(32) };
  const refused = await parley(env, "restore", file, "--yes");
  assert.equal(refused.code, 1);
  assert.match(
    refused.said,
    /backup was made with another sealing key\. PARLEY_SECRET does not open/,
  );
  assert.match(refused.said, /If it is lost, .* says what --new-key costs\./);
  const restored = await parley(env, "restore", file, "--yes", "--new-key", "--send-letters");
  assert.equal(restored.code, 0, restored.said);
  assert.deepEqual([restored.value.lettersWithdrawn, restored.value.lettersWaiting], [2, 0]);
  await opened(place, async ({ read }) => {
    const letters = await read.selectFrom("letters").select(["state", "content"]).execute();
    for (const { state, content } of letters)
      assert.deepEqual([state, content], ["withdrawn", null]);
    assert.equal(letters.length, 2);
    assert.equal((await read.selectFrom("rooms").select("id").execute()).length, 7);
  });
  // The service works only with the new key.
  const settings: Environment = { ...env, PORT: "0", DRAIN_SECONDS: "0" };
  const service = await startProcess(t, settings);
  assert.deepEqual(await service.end(), { code: 0, signal: null });
  await assert.rejects(
    startProcess(t, { ...settings, PARLEY_SECRET: secret }),
    /does not open what is stored/,
  );
  const reset = await parley(env, "user", "reset-password", email, "--letter");
  assert.equal(reset.code, 0, reset.said);
  await startProcess(t, settings);
  await until("the new email leaves", () => emailsIn(place.dataDir).length === 1);
});

test("after restore --new-key a webhook says that it needs a new secret, sends waiting deliveries with it, and an earlier retry is refused", async (t) => {
  const receiver = await startReceiver(t);
  const environment = { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "3600" };
  const first = await startWorld(t, { environment });
  const tenant = await first.tenant();
  const { id } = await make(tenant.ask, receiver.url, ["roomCreated"]);
  // Its former secret is valid for a day, and is sealed with the key that will be lost.
  await tenant.ask("rotateWebhookSecret", { id });
  const room = { name: "Once", roomOwnerId: tenant.admin.id };
  const key = { "idempotency-key": "once" };
  assert.equal((await tenant.ask("createRoom", room, key)).status, 201);
  await until("it is delivered", async () => {
    const [delivery] = await deliveries(tenant.ask);
    return delivery?.state === "delivered";
  });
  // Another delivery was refused, longer ago than webhooks are retried.
  receiver.fate = () => 500;
  await createRoom(tenant, "Earlier");
  await until("it was refused", async () => {
    const [delivery] = await deliveries(tenant.ask, { state: "waiting" });
    return delivery?.lastError != null;
  });
  receiver.fate = () => undefined;
  const daysAgo = new Date(Date.now() - 4 * 24 * 3_600_000).toISOString();
  await first.database.change(async (tx) => {
    await tx.updateTable("webhooks").set({ failing_since: daysAgo }).execute();
    const waiting = tx.updateTable("deliveries").where("state", "=", "waiting");
    await waiting.set({ queued_at: daysAgo }).execute();
  });
  const file = join(first.config.dataDir, "backup.db");
  assert.equal((await parley(first.environment, "backup", file)).code, 0);

  const place = await emptyPlace(t);
  const newKey = { PARLEY_SECRET: "cd".repeat(32) };
  const env: Environment = { ...first.environment, ...environmentOf(place), ...newKey };
  const restored = await parley(env, "restore", file, "--yes", "--new-key");
  assert.deepEqual([restored.code, restored.value.webhooksWithoutSecret], [0, 1], restored.said);
  const { open, url, log } = await startWorld(t, { place: env });
  const { authToken } = (await open("getAuthToken", tenant.accessKey)).body;
  const ask = askAs(url, authToken.token);
  const restoredWebhook = (await ask("listWebhooks")).body.webhooks[0];
  assert.equal(restoredWebhook.formerSecretUntil, null, "it signs nothing any more");

  const again = await ask("createRoom", room, key);
  assert.deepEqual([again.status, again.body.code], [422, "idempotency_reused"], again.text);
  await createRoom({ ...tenant, ask }, "Later");
  const isTold = async () => {
    const waiting = await deliveries(ask, { state: "waiting" });
    const told = waiting.filter(({ lastError }) => /make a new secret/.test(lastError ?? ""));
    return told.length === 2;
  };
  await until("the deliveries say why they wait", isTold);
  assert.equal(receiver.arrivals.length, 2);
  assert.equal((await ask("listWebhooks")).body.webhooks[0].state, "on");
  const { secret: renewed, formerSecretUntil } = (await ask("rotateWebhookSecret", { id })).body
    .webhook;
  assert.equal(formerSecretUntil, null, "nothing is signed with the lost secret");
  // Long before they would be retried by themselves.
  const sent = (await receiver.waitFor(4)).slice(2);
  const names = sent.map(({ event }) => event.data.roomName);
  assert.deepEqual(names.sort(), ["Earlier", "Later"]);
  for (const arrival of sent) {
    verify(renewed, arrival);
    // A secret that cannot be unsealed makes no signature.
    assert.equal(String(arrival.headers["webhook-signature"]).split(" ").length, 1);
  }
  assert.deepEqual(
    log.filter((line) => JSON.parse(line).level >= 50),
    [],
  );
});
