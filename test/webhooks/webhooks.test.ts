// Runs: waits

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { editWebhook as contract } from "../../contract/webhooks/webhooks.ts";
import type { Change } from "../../server/change/organization.ts";
import { openSeal } from "../../server/db/seal.ts";
import { undoChange } from "../../server/undo/undo.ts";
import { replayDeliveries, testWebhook } from "../../server/webhooks/deliveries.ts";
import { editWebhook, rotateSecret } from "../../server/webhooks/webhooks.ts";
import { openSocket } from "../meetings/inside.ts";
import type { Ask } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { createRoom, deliveries, make } from "./made.ts";
import { startReceiver, verify } from "./receiver.ts";

const world = await startWorld(test, {
  environment: { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "0.05" },
});

const ended = (ask: Ask, id: string) =>
  until("the delivery has ended", async () => {
    const found = (await deliveries(ask)).find((one) => one.id === id);
    return found !== undefined && found.state !== "waiting";
  });

test("events are posted in order, signed so that the standard's own library verifies them", async (t) => {
  const { ask, admin } = await world.tenant();
  const receiver = await startReceiver(t);
  const { secret } = await make(ask, receiver.url, ["roomCreated", "roomEdited", "roomDeleted"]);
  const settings = { name: "Board", roomOwnerId: admin.id, roomPassword: "sesame-open" };
  const { room } = (await ask("createRoom", settings)).body.roomSetting;
  for (const name of ["Council", "Senate"]) {
    await ask("editRoom", { room, roomOwnerId: admin.id, name });
  }
  await ask("deleteRoom", { id: room });
  const arrivals = await receiver.waitFor(4);
  assert.deepEqual(
    arrivals.map(({ event }) => [event.type, event.data.roomId, event.data.after?.name]),
    [
      ["roomCreated", room, "Board"],
      ["roomEdited", room, "Council"],
      ["roomEdited", room, "Senate"],
      ["roomDeleted", room, undefined],
    ],
  );
  for (const arrival of arrivals) verify(secret, arrival);
  const [first] = arrivals;
  assert.ok(first);
  const altered = { ...first, body: first.body.replace("Board", "Bored") };
  assert.throws(() => verify(secret, altered), /signature/i);
  assert.equal(new Date(first.event.timestamp).toISOString(), first.event.timestamp);
  assert.ok(!arrivals.some(({ body }) => body.includes("sesame")), "no secret of a room");
  await ended(ask, arrivals[3]?.id ?? "");
  const [last] = await deliveries(ask, { event: "roomDeleted" });
  assert.deepEqual([last?.state, last?.answer?.status, last?.lastError], ["delivered", 204, null]);
  assert.equal(last?.request, arrivals[3]?.body);
});

test("a webhook gets its chosen events, and none of another organization", async (t) => {
  const [mine, theirs] = [await world.tenant(), await world.tenant()];
  const receiver = await startReceiver(t);
  const { id } = await make(mine.ask, receiver.url, ["userCreated"]);
  const person = { name: "Ann", loginUrl: "https://example.org/" };
  await theirs.ask("createUser", { ...person, email: "theirs@webhooks.example.org" });
  await createRoom(mine, "Not wanted");
  await mine.ask("createUser", { ...person, email: "mine@webhooks.example.org" });
  await mine.ask("createUser", { ...person, email: "mine@webhooks.example.org" });
  await mine.ask("testWebhook", { id });
  const arrivals = await receiver.waitFor(2);
  assert.deepEqual(arrivals.map(({ event }) => event.type).sort(), ["test", "userCreated"]);
  const [one, other] = arrivals.map(({ event }) => event.data.by);
  assert.deepEqual(Object.keys(one), ["userId", "accessKey", "name"]);
  assert.deepEqual(other, one, "a test event names who asked for it as any other event does");
  assert.equal((await deliveries(mine.ask)).length, 2);
  // The part after an address's host may be a key.
  await mine.ask("editWebhook", { id, url: "https://hooks.example.org/sesame?key=sesame" });
  const { entries } = (await mine.ask("listHistory", { subjectId: id })).body;
  assert.deepEqual(
    entries.map(({ subject, before, after }: HistoryEntry) => [subject.name, before, after?.url]),
    [
      ["https://hooks.example.org", { url: "(set)" }, "(set)"],
      [new URL(receiver.url).origin, null, "(set)"],
    ],
  );
  assert.equal((await deliveries(theirs.ask)).length, 0);
});

test("a meeting sends events for its start, its people and its end, in order", async (t) => {
  const { ask, admin } = await world.tenant();
  const receiver = await startReceiver(t);
  const wanted = ["meetingStarted", "newPeer", "peerLeft", "meetingEnded", "roomFree"];
  const more = ["peerWaiting", "peerAdmitted", "peerRefused", "roomOccupied"];
  await make(ask, receiver.url, [...wanted, ...more]);
  const seats = { noOfModerators: 1, noOfParticipants: 1, noOfViewers: 0 };
  const settings = { name: "Talk", roomOwnerId: admin.id, authenticationRequired: true };
  const { room } = (await ask("createRoom", { ...settings, ...seats })).body.roomSetting;
  const enter = async (asker: Ask, roomId: string, peerName: string) => {
    const joined = await asker("joinRoom", { roomId, peerName });
    assert.ok(joined.status < 300, joined.text);
    return openSocket(t, world.url, {
      ticket: joined.body.ticket,
      peerId: joined.body.peer.peerId,
    });
  };
  const ann = await enter(ask, room, "Ann");
  await ann.sees("inside", () => true);
  const { code } = (await ask("getRoomLink", { roomId: room })).body;
  const bob = await enter(world.open, code, "Bob");
  await until("Bob waits", async () => receiver.arrivals.length >= 3);
  assert.equal(await ann.do("allowRoomJoin", { requesterPeerId: bob.peerId, all: false }), "ok");
  await receiver.waitFor(6);
  assert.equal(await bob.do("leave", {}), "ok");
  assert.equal(await ann.do("closeRoom", { message: "" }), "ok");
  const arrivals = await receiver.waitFor(10);
  assert.deepEqual(
    arrivals.map(({ event }) => [event.type, event.data.peer?.peerName, event.data.reason]),
    [
      ["meetingStarted", undefined, undefined],
      ["newPeer", "Ann", undefined],
      ["peerWaiting", "Bob", undefined],
      ["peerAdmitted", "Bob", undefined],
      ["newPeer", "Bob", undefined],
      ["roomOccupied", undefined, undefined],
      ["peerLeft", "Bob", "left"],
      ["peerLeft", "Ann", "closed"],
      ["meetingEnded", undefined, undefined],
      ["roomFree", undefined, undefined],
    ],
  );
  const ids = new Set(arrivals.flatMap(({ event }) => event.data.meetingId ?? []));
  assert.equal(ids.size, 1);
  assert.ok(arrivals.every(({ event }) => event.data.roomId === room));
  assert.equal(typeof arrivals[7]?.event.data.seconds, "number");
});

test("while a secret is rotated, both verify; an older one does not", async (t) => {
  const { ask } = await world.tenant();
  const receiver = await startReceiver(t);
  const { id, secret: first } = await make(ask, receiver.url, ["roomCreated"]);
  const rotate = async () =>
    (await ask("rotateWebhookSecret", { id })).body.webhook.secret as string;
  const second = await rotate();
  await ask("testWebhook", { id });
  const [one] = await receiver.waitFor(1);
  assert.ok(one);
  for (const secret of [first, second]) verify(secret, one);
  const third = await rotate();
  await ask("testWebhook", { id });
  const [, two] = await receiver.waitFor(2);
  assert.ok(two);
  for (const secret of [second, third]) verify(secret, two);
  assert.throws(() => verify(first, two), /signature/i);
  const rows = await world.database.read.selectFrom("webhooks").selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes("whsec_"), "the database shows no secret");
  assert.ok(!(await ask("listWebhooks")).text.includes("whsec_"));
});

test("at most the first kilobyte of an answer is kept, and no redirect is followed", async (t) => {
  const { ask } = await world.tenant();
  const [receiver, inside] = [await startReceiver(t), await startReceiver(t)];
  receiver.fate = ({ path }) =>
    path === "/moved"
      ? { status: 307, headers: { location: inside.url } }
      : { status: 200, body: `\0${"é".repeat(40_000)}` };
  const long = await make(ask, receiver.url, ["roomCreated"]);
  const moved = await make(ask, `${receiver.url}moved`, ["roomCreated"]);
  const { deliveryId } = (await ask("testWebhook", { id: long.id })).body;
  await ended(ask, deliveryId);
  const [kept] = await deliveries(ask, { webhookId: long.id });
  assert.equal(kept?.answer?.body, `\uFFFD${"é".repeat(511)}`);
  await ask("testWebhook", { id: moved.id });
  await until("it was tried", async () => {
    const [one] = await deliveries(ask, { webhookId: moved.id });
    return (one?.attempts ?? 0) >= 2;
  });
  const [tried] = await deliveries(ask, { webhookId: moved.id });
  assert.match(tried?.lastError ?? "", /307; redirects are not followed/);
  assert.equal(inside.arrivals.length, 0);
});

test("one delivery or a span is sent again, with the same IDs and bodies", async (t) => {
  const tenant = await world.tenant();
  const { ask } = tenant;
  const receiver = await startReceiver(t);
  const { id } = await make(ask, receiver.url, ["roomCreated"]);
  for (const name of ["One", "Two", "Three"]) await createRoom(tenant, name);
  await receiver.waitFor(3);
  const before = receiver.arrivals.map(({ id: of, body }) => `${of} ${body}`).sort();
  for (const { id: of } of receiver.arrivals) await ended(ask, of);
  const one = receiver.arrivals[0]?.id ?? "";
  assert.equal((await ask("replayDelivery", { id: one })).status, 200);
  await receiver.waitFor(4);
  assert.equal(receiver.arrivals[3]?.body, receiver.arrivals[0]?.body);
  await ended(ask, one);
  const span = { webhookId: id, from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
  const backwards = await ask("replayDeliveries", { ...span, from: span.to, to: span.from });
  assert.deepEqual(saidIn(backwards.body.errors), [
    { field: "from", message: "from must not be later than to" },
  ]);
  assert.equal((await ask("replayDeliveries", span)).body.replayed, 0, "none has failed");
  assert.equal((await ask("replayDeliveries", { ...span, onlyFailed: false })).body.replayed, 3);
  await receiver.waitFor(7);
  const after = receiver.arrivals.slice(4).map(({ id: of, body }) => `${of} ${body}`);
  assert.deepEqual(after.sort(), before);
});

test("a change that makes deliveries due wakes the sender after its commit, taken back too", async (t) => {
  const { ask, change } = await world.tenant();
  const { id } = await make(ask, (await startReceiver(t)).url, ["roomEdited"]);
  let woken = 0;
  world.database.leftWork.listen("deliveries", () => {
    woken += 1;
  });
  const seal = await openSeal(world.config);
  const edit = (edited: object) => (one: Change) =>
    editWebhook(one, contract.input.parse({ id, ...edited }), () => true);
  const span = { webhookId: id, from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
  const newest = async (): Promise<number> =>
    (await ask("listHistory", { subjectId: id })).body.entries[0].number;
  const steps: Readonly<Record<string, readonly [(one: Change) => Promise<unknown>, number]>> = {
    "switched off": [edit({ on: false }), 0],
    "switched on": [edit({ on: true }), 1],
    "switched off again": [edit({ on: false }), 0],
    "taken back": [async (one) => undoChange(one, { number: await newest() }), 1],
    tested: [(one) => testWebhook(one, id), 1],
    "with another secret": [(one) => rotateSecret(one, id, seal), 1],
    "sent again": [(one) => replayDeliveries(one, { ...span, onlyFailed: true }), 1],
    edited: [edit({ description: "One" }), 0],
  };
  for (const [step, [rule, times]] of Object.entries(steps)) {
    woken = 0;
    await change(async (one) => {
      await rule(one);
      assert.equal(woken, 0, `${step}: not committed yet`);
    });
    assert.equal(woken, times, step);
  }
});

test("deliveries about a permanently deleted person are erased", async (t) => {
  const tenant = await world.tenant();
  const { ask, admin } = tenant;
  const receiver = await startReceiver(t);
  await make(ask, receiver.url, ["userCreated", "userDeleted", "roomCreated"]);
  const person = { email: "erased@webhooks.example.org", name: "Erasable Name" };
  const { user } = (await ask("createUser", { ...person, loginUrl: "https://x.org/" })).body;
  const [created] = await receiver.waitFor(1);
  await ended(ask, created?.id ?? "");
  await ask("editUser", { userId: user.id, admin: true });
  const theirs = { authorization: `Bearer ${await tenant.tokenOf(user.id)}` };
  await ask("createRoom", { name: "Theirs", roomOwnerId: admin.id }, theirs);
  const [, acted] = await receiver.waitFor(2);
  assert.equal(acted?.event.data.by.name, "Erasable Name");
  await ended(ask, acted?.id ?? "");
  await ask("revokeUsers", [{ userId: user.id }]);
  await ask("deleteUsers", [user.id]);
  const [, , deleted] = await receiver.waitFor(3);
  assert.equal(deleted?.event.type, "userDeleted");
  await until("nothing names the person", async () => {
    const rows = await world.database.read.selectFrom("deliveries").selectAll().execute();
    return !JSON.stringify(rows).includes("Erasable");
  });
});

test("once a deletion is answered, waiting deliveries reveal nothing about the deleted people, however many they are", async () => {
  const { ask, id } = await world.tenant();
  // No receiver listens there: everything waits.
  await make(ask, "http://127.0.0.1:9/", ["userCreated", "userRevoked", "userDeleted"]);
  const people = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const person = { email: `${n}@${id}.example.org`, name: `Sendable ${n}` };
      return (await ask("createUser", { ...person, loginUrl: "https://x.org/" })).body.user.id;
    }),
  );
  const bodies = async () => {
    const rows = world.database.read.selectFrom("deliveries").select("body");
    return JSON.stringify(await rows.where("organization_id", "=", id).execute());
  };
  assert.ok((await bodies()).includes("Sendable 11"));
  await ask(
    "revokeUsers",
    people.map((userId) => ({ userId })),
  );
  assert.equal((await ask("deleteUsers", people)).status, 200);
  assert.ok(!(await bodies()).includes("Sendable"));
});

test("the edit of a webhook is taken back, on and off too; its secrets stay as they are", async () => {
  const { ask } = await world.tenant();
  const made = { url: "http://127.0.0.1:9/one", events: ["roomEdited"], description: "One" };
  const { id, secret: _, ...webhook } = (await ask("createWebhook", made)).body.webhook;
  const presented = async () => {
    const [{ id: __, updatedAt, ...one }] = (await ask("listWebhooks", {})).body.webhooks;
    return { ...one, updatedAt: webhook.updatedAt };
  };
  const stored = () =>
    world.database.read
      .selectFrom("webhooks")
      .select(["secret", "former_secret"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  const edit = { id, events: ["userEdited"], description: "Two" };
  await ask("editWebhook", { ...edit, on: false });
  const newest = async () => (await ask("listHistory", { subjectId: id })).body.entries[0];
  const undo = (number: number) => ask("undoChange", { number });
  const undoLast = async () => undo((await newest()).number);
  const { number } = await newest();
  await ask("rotateWebhookSecret", { id });
  assert.equal((await undoLast()).body.code, "undo_impossible");
  const secrets = await stored();
  await ask("editWebhook", { id, description: "Three" });
  const now = { field: "description", message: 'description is "Three" now.' };
  assert.deepEqual(saidIn((await undo(number)).body.errors), [now]);
  assert.equal((await undoLast()).status, 200);
  assert.equal((await undo(number)).status, 200);
  const { formerSecretUntil } = await presented();
  assert.deepEqual(await presented(), { ...webhook, formerSecretUntil });
  assert.deepEqual(await stored(), secrets);
  // Addresses may contain a key, so the history has none.
  await ask("editWebhook", { id, url: "http://127.0.0.1:9/two" });
  const addressed = await undoLast();
  assert.deepEqual(saidIn(addressed.body.errors), [
    { field: "url", message: "url is not kept in the history." },
  ]);
  await ask("removeWebhook", { id });
  assert.equal((await undoLast()).body.code, "undo_impossible");
  assert.equal((await undo(number)).body.code, "webhook_not_found");
});
