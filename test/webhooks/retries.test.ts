// Runs: waits

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { test } from "node:test";
import { createServer as createSecured } from "node:tls";
import type { Webhook } from "../../contract/webhooks/webhooks.ts";
import { openCertificates } from "../world/certificates.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { createRoom, deliveries, make } from "./made.ts";
import { startReceiver } from "./receiver.ts";

const world = await startWorld(test, {
  environment: { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "0.05" },
});

test("waiting deliveries of a subject go first, and delay nothing else", async (t) => {
  const { ask, admin } = await world.tenant();
  const receiver = await startReceiver(t);
  await make(ask, receiver.url, ["roomCreated", "roomEdited"]);
  let isBroken = true;
  receiver.fate = ({ event }) => (isBroken && event.data.roomId === "broken" ? 500 : undefined);
  for (const room of ["broken", "sound"]) {
    await ask("createRoom", { name: "A", room, roomOwnerId: admin.id });
    await ask("editRoom", { name: "B", room, roomOwnerId: admin.id });
  }
  const of = (room: string) =>
    receiver.arrivals
      .filter(({ event }) => event.data.roomId === room)
      .map((one) => one.event.type);
  await until("the sound one is told", () => of("sound").length === 2);
  await until("the broken one is tried again", () => of("broken").length >= 3);
  assert.deepEqual([...new Set(of("broken"))], ["roomCreated"], "the edit waits for the creation");
  const [waiting] = await deliveries(ask, { event: "roomCreated", state: "waiting" });
  assert.deepEqual([waiting?.answer?.status, waiting?.lastError], [500, "It was answered 500."]);
  assert.deepEqual(waiting?.lastReason, { code: "webhook_answered", status: 500 });
  isBroken = false;
  await until("the edit came", () => of("broken").at(-1) === "roomEdited");
  const ids = receiver.arrivals.filter(({ event }) => event.data.roomId === "broken");
  assert.equal(new Set(ids.map(({ id }) => id)).size, 2, "a try again has the same ID");
});

test("deliveries that wait for a retry are sent at once on request, in the order of their subject", async (t) => {
  const patient = { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "3600" };
  const { ask, admin } = await (await startWorld(t, { environment: patient })).tenant();
  const receiver = await startReceiver(t);
  await make(ask, receiver.url, ["roomCreated", "roomEdited"]);
  receiver.fate = () => 500;
  await ask("createRoom", { name: "A", room: "mended", roomOwnerId: admin.id });
  await ask("editRoom", { name: "B", room: "mended", roomOwnerId: admin.id });
  await until("the first try has failed", async () => {
    const [created] = await deliveries(ask, { event: "roomCreated" });
    return created?.lastError === "It was answered 500.";
  });
  receiver.fate = () => undefined;
  const [edited] = await deliveries(ask, { event: "roomEdited" });
  const replayed = await ask("replayDelivery", { id: edited?.id });
  assert.equal(replayed.status, 200, replayed.text);
  await receiver.waitFor(3);
  assert.deepEqual(
    receiver.arrivals.map(({ event }) => event.type),
    ["roomCreated", "roomCreated", "roomEdited"],
  );
  const [asked, answering] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  receiver.fate = () => {
    asked.resolve();
    return answering.promise;
  };
  await ask("editRoom", { name: "C", room: "mended", roomOwnerId: admin.id });
  await asked.promise;
  const [underWay] = await deliveries(ask, { event: "roomEdited" });
  const refused = await ask("replayDelivery", { id: underWay?.id });
  assert.deepEqual([refused.status, refused.body.code], [409, "delivery_waits"]);
  answering.resolve(undefined);
  await receiver.waitFor(4);
});

test("deliveries behind one that was given up are tried for three days of their own", async (t) => {
  const { ask, admin } = await world.tenant();
  const receiver = await startReceiver(t);
  await make(ask, receiver.url, ["roomCreated", "roomEdited"]);
  const tries = (type: string) => receiver.arrivals.filter(({ event }) => event.type === type);
  receiver.fate = ({ event }) =>
    event.type === "roomCreated" || tries("roomEdited").length < 2 ? 500 : undefined;
  await ask("createRoom", { name: "A", room: "poison", roomOwnerId: admin.id });
  await ask("editRoom", { name: "B", room: "poison", roomOwnerId: admin.id });
  await receiver.waitFor(1);
  const queued_at = new Date(Date.now() - 3 * 86_400_000 - 1000).toISOString();
  await world.database.change((tx) =>
    tx.updateTable("deliveries").set({ queued_at }).where("subject", "=", "room:poison").execute(),
  );
  await until("the edit has ended", async () => {
    const [edit] = await deliveries(ask, { event: "roomEdited" });
    return edit?.state !== "waiting";
  });
  const states = (await deliveries(ask)).map(({ event, state }) => `${event} ${state}`);
  assert.deepEqual(states, ["roomEdited delivered", "roomCreated failed"]);
  assert.equal(tries("roomEdited").length, 3);
});

test("a webhook whose receiver answers 410 is switched off at once, and waiting deliveries are kept", async (t) => {
  const tenant = await world.tenant();
  const { ask, admin } = tenant;
  const receiver = await startReceiver(t);
  receiver.fate = () => 410;
  const { id } = await make(ask, receiver.url, ["roomCreated"]);
  await createRoom(tenant, "Unwanted");
  const stateNow = async () => (await ask("listWebhooks")).body.webhooks[0] as Webhook;
  await until("it is off", async () => (await stateNow()).state === "failed");
  const recipients = (await ask("listLetters", {})).body.letters.map(
    ({ recipient }: { recipient: string }) => recipient,
  );
  assert.deepEqual(recipients, [admin.email]);
  const [entry] = (await ask("listHistory", { kind: "webhookSwitchedOff" })).body.entries;
  const lastReason = { code: "webhook_answered", status: 410 };
  assert.deepEqual(entry.after, { lastError: "It was answered 410.", lastReason });
  receiver.fate = () => undefined;
  await ask("editWebhook", { id, on: true });
  await until("what waited came", async () => (await stateNow()).waiting === 0);
});

test("a receiver that never answers delays no other, and is logged", async (t) => {
  const tenant = await world.tenant();
  const { ask } = tenant;
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)];
  slow.fate = () => "stall";
  const stuck = await make(ask, slow.url, ["roomCreated"]);
  await make(ask, quick.url, ["roomCreated"]);
  for (let n = 0; n < 12; n += 1) await createRoom(tenant, `Room ${n}`);
  await quick.waitFor(12);
  assert.ok(slow.arrivals.length <= 4, "a few at a time");
  await ask("removeWebhook", { id: stuck.id });
});

test("a receiver that switches to another protocol has not accepted the delivery, which is retried", async (t) => {
  const tenant = await world.tenant();
  const { ask } = tenant;
  const receiver = await startReceiver(t);
  await make(ask, receiver.url, ["roomCreated"]);
  receiver.fate = () => "switch";
  await createRoom(tenant, "Unheard");
  await until("it has failed", async () => (await deliveries(ask))[0]?.answer?.status === 101);
  receiver.fate = () => undefined;
  await until("it is accepted", async () => (await deliveries(ask))[0]?.state === "delivered");
});

test("a webhook is switched off after three days of failure, and administrators get an email", async (t) => {
  const tenant = await world.tenant();
  const { ask, admin } = tenant;
  const receiver = await startReceiver(t);
  receiver.fate = () => 503;
  const { id } = await make(ask, receiver.url, ["roomCreated"]);
  await createRoom(tenant, "Unheard");
  await receiver.waitFor(2);
  const long = new Date(Date.now() - 3 * 86_400_000 - 1000).toISOString();
  await world.database.change(async (tx) => {
    const failing = tx.updateTable("webhooks").set({ failing_since: long });
    await failing.where("id", "=", id).execute();
    const queued = tx.updateTable("deliveries").set({ queued_at: long });
    await queued.where("webhook_id", "=", id).execute();
  });
  const stateNow = async () => {
    const { webhooks } = (await ask("listWebhooks")).body;
    return webhooks[0] as Webhook;
  };
  await until("it is off", async () => (await stateNow()).state === "failed");
  assert.equal((await stateNow()).waiting, 1, "what waits is kept");
  const { letters } = (await ask("listLetters", {})).body;
  assert.deepEqual(
    letters.map(({ kind, recipient }: { kind: string; recipient: string }) => [kind, recipient]),
    [["webhook-off", admin.email]],
  );
  await createRoom(tenant, "Not told");
  assert.equal((await ask("testWebhook", { id })).body.code, "webhook_off");
  receiver.fate = () => undefined;
  await ask("editWebhook", { id, on: true });
  await until("what waited came", async () => (await stateNow()).waiting === 0);
  assert.equal(receiver.arrivals.at(-1)?.event.data.roomName, "Unheard");
  const [failed] = (await ask("listHistory", { kind: "webhookSwitchedOff" })).body.entries;
  assert.equal(failed.subject.id, id);
});

test("a receiver's Retry-After is respected, for up to an hour", async (t) => {
  const { ask } = await world.tenant();
  const receiver = await startReceiver(t);
  const told = new Map<string, readonly [least: number, most: number]>([
    ["600", [540, 660]],
    [new Date(Date.now() + 1_800_000).toUTCString(), [1_500, 1_860]],
    ["86400", [3_500, 3_660]],
    ["soon", [-60, 60]],
  ]);
  for (const [header, [least, most]] of told) {
    const status = header === "600" ? 429 : 503;
    receiver.fate = () => ({ status, headers: { "retry-after": header } });
    const webhook = await make(ask, receiver.url, ["roomCreated"]);
    await ask("testWebhook", { id: webhook.id });
    const triedOf = async () => (await ask("listDeliveries", { webhookId: webhook.id })).body;
    await until("it is tried", async () => (await triedOf()).deliveries[0].lastError !== null);
    const [{ dueAt }] = (await triedOf()).deliveries;
    const seconds = (Date.parse(dueAt) - Date.now()) / 1000;
    assert.ok(seconds > least && seconds < most, `${header}: ${seconds} s`);
  }
});

test("faults of a receiver that answers are named: its certificate, no TLS, no HTTP", async (t) => {
  const { ask } = await world.tenant();
  const { cert, key } = (await openCertificates(t)).make("receiver");
  const files = { cert: await readFile(cert), key: await readFile(key) };
  const plain = await startReceiver(t);
  const secured = createSecured(files).listen(0, "127.0.0.1");
  const other = createServer((socket) => void socket.on("error", () => {}).end("SSH-2.0-x\r\n"));
  other.listen(0, "127.0.0.1");
  await Promise.all([once(secured, "listening"), once(other, "listening")]);
  t.after(() => void [secured, other].map((server) => server.close()));
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  const problems: readonly [string, RegExp][] = [
    [
      `https://127.0.0.1:${portOf(secured)}/`,
      /^The certificate of the other side is not accepted \(\w+\)/,
    ],
    [`https://127.0.0.1:${plain.port}/`, /^No encrypted connection came about \(/],
    [`http://127.0.0.1:${portOf(other)}/`, /^What answers does not speak HTTP \(/],
  ];
  for (const [url, problem] of problems) {
    const webhook = await make(ask, url, ["roomCreated"]);
    await ask("testWebhook", { id: webhook.id });
    const tried = async () => (await deliveries(ask, { webhookId: webhook.id }))[0]?.lastError;
    await until("it is tried", async () => typeof (await tried()) === "string");
    assert.match((await tried()) ?? "", problem);
  }
});
