// Runs: waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import { keepsFromTheNotice, keepsWhatComes, storesEndOnce } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { openSocket } from "./inside.ts";
import { enterInvited, invite } from "./invited.ts";
import { holdChanges, seatOf } from "./place.ts";

const roomOf = async (world: World) => {
  const tenant = await world.tenant();
  const room = { name: "R", room: "r", roomOwnerId: tenant.admin.id, noOfParticipants: 3 };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  return tenant;
};

/** A connection is lost while the database accepts no changes. */
const lostMeanwhile = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await roomOf(world);
  const ann = await enterInvited(t, world.url, tenant, "r", "Ann");
  const letGo = await holdChanges(t, world);
  ann.cut();
  await until("the service has tried it", () =>
    world.log.some((line) => line.includes("The end of a connection is stored later")),
  );
  await letGo();
  const isAway = async () => (await seatOf(world, ann.peerId)).state === "away";
  await until("the seat is away", isAway, twin && 60_000);
};

test("a connection lost while the database is unavailable loses its seat once the database is back", (t) =>
  lostMeanwhile(t));

testTwin(
  "a twin that tries only once to store the end of a connection keeps its seat forever",
  async (t) => {
    await assert.rejects(lostMeanwhile(t, storesEndOnce), /Waited in vain: the seat is away/);
  },
);

test("a client that sends an endless message before its ticket is cut at once", async (t) => {
  const world = await startWorld(t);
  const socket = new WebSocket(`${world.url.replace("http", "ws")}/api/meeting/socket`);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.send("x".repeat(20 * 1024), { fin: false });
  // Without a close frame, which the end of the time for a ticket would bring.
  assert.equal(await closed, 1006);
});

test("changes of devices are announced to others; a repeated report waits for nothing and announces nothing", async (t) => {
  const world = await startWorld(t);
  const tenant = await roomOf(world);
  const [ann, bob] = [
    await enterInvited(t, world.url, tenant, "r", "Ann"),
    await enterInvited(t, world.url, tenant, "r", "Bob"),
  ];
  const on = { audio: true, video: true, share: false };
  assert.equal(await ann.do("media", on), "ok");
  assert.equal(await bob.do("media", on), "ok");
  // Everything announced was committed before.
  const letGo = await holdChanges(t, world);
  let told: string | undefined;
  const changed = bob.do("media", { ...on, audio: false }).then((outcome) => {
    told = outcome;
  });
  assert.equal(await ann.do("media", on), "ok", "nothing to store");
  assert.equal(told, undefined, "what has changed has to wait");
  await letGo();
  await changed;
  if (told !== "ok") assert.equal(await bob.do("media", { ...on, audio: false }), "ok");
  await ann.sees("Bob is muted", ({ peers }) => peers[0]?.audio === false);
});

/** Returns whether a socket is cut by the time everything that it sent has arrived. */
const isCut = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    if (socket.readyState === WebSocket.CLOSED) return resolve(true);
    socket.once("close", () => resolve(true)).once("pong", () => resolve(false));
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  });

/**
 * A client sends without a pause while the database accepts no changes: before the ticket is checked, and
 * after.
 */
const flood = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await roomOf(world);
  const open = async (peerName: string) => {
    const sessionToken = await invite(tenant, "r", peerName);
    const { body } = await tenant.ask("joinRoom", { roomId: "r", sessionToken });
    const socket = new WebSocket(`${world.url.replace(/^http/, "ws")}/api/meeting/socket`);
    t.after(() => socket.terminate());
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("open", resolve));
    const enter = () => socket.send(JSON.stringify({ ticket: body.ticket }));
    const send = (many: number) => {
      for (let id = 1; id <= many; id += 1)
        socket.send(JSON.stringify({ id, do: "hand", up: id % 2 === 1 }));
    };
    return { socket, enter, send };
  };
  const [ann, bob, cem] = [await open("Ann"), await open("Bob"), await open("Cem")];
  for (const { socket, enter } of [ann, cem]) {
    enter();
    await new Promise((resolve) => socket.once("message", resolve));
  }
  const letGo = await holdChanges(t, world);
  bob.enter();
  bob.send(50);
  ann.send(400);
  cem.send(50);
  const cut = [await isCut(ann.socket), await isCut(bob.socket), await isCut(cem.socket)];
  await letGo();
  assert.deepEqual(cut, [true, true, false]);
};

test("a browser that sends faster than the database answers is cut, with little of its data kept", (t) =>
  flood(t));

testTwin("a twin that keeps everything it receives cuts nobody", async (t) => {
  await assert.rejects(flood(t, keepsWhatComes), /deepEqual|deep-equal/);
});

/** A person's network is dead, without any sign of that. */
const silent = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await roomOf(world);
  const sessionToken = await invite(tenant, "r", "Ann");
  const { body } = await tenant.ask("joinRoom", { roomId: "r", sessionToken });
  await openSocket(t, world.url, { ...body, autoPong: false });
  const { peerId } = body.peer;
  await until("Ann was inside", async () => (await seatOf(world, peerId)).joined_at !== null);
  await until("Ann is away", async () => (await seatOf(world, peerId)).state === "away");
  const seenAway = new Date().toISOString();
  const { joined_at, last_seen, lease_until } = await seatOf(world, peerId);
  const since = (time: string | null) => Date.parse(time ?? "") - Date.parse(joined_at ?? "");
  // The service needs fifteen to twenty seconds to notice. A busy machine stores it a moment later.
  assert.ok(since(last_seen) >= 0 && since(last_seen) < 10_000, `seen after ${since(last_seen)}`);
  // At least five seconds are left to come back, however late it notices.
  const most = Math.max(35_000, since(seenAway) + 6_000);
  assert.ok(since(lease_until) < most, `kept for ${since(lease_until)} ms`);
};

test("the lease of a seat whose network is dead begins with the last sign of life", (t) =>
  silent(t));

testTwin(
  "a twin whose lease begins when it notices the loss keeps the seat too long",
  async (t) => {
    await assert.rejects(silent(t, keepsFromTheNotice), /kept for/);
  },
);
