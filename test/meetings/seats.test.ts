// Runs: postgres-first, waits, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { texts } from "../../contract/kit/texts.ts";
import { closesUnfenced, countsBefore, findsBefore, freesAtOnce } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { insist } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";
import { openSocket } from "./inside.ts";
import { enterInvited, invite, leave } from "./invited.ts";
import { keptAway, seatOf } from "./place.ts";

const LIMIT = 3;
const PEOPLE = 12;

const roomOf = async (world: World, settings: object = {}) => {
  const tenant = await world.tenant();
  const seats = { noOfModerators: 1, noOfParticipants: LIMIT, noOfViewers: 2 };
  const room = { name: "R", room: "r", roomOwnerId: tenant.admin.id, ...seats, ...settings };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  return tenant;
};

/** All or some stored seats of an organization. */
const seatsOf = (world: World, organizationId: string) =>
  world.database.read
    .selectFrom("seats")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();

/** Expires the lease of a seat. */
const expire = (world: World, id: string) =>
  world.database.change(async (tx) => {
    const lease_until = "2020-01-01T00:00:00.000Z";
    await tx.updateTable("seats").set({ lease_until }).where("id", "=", id).execute();
  });

/**
 * Many people join at the same time over two processes, repeatedly, while some leave and some return.
 */
const rush = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  const tenant = await roomOf(world);
  const dice = rollDice(t);
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, n) => invite(tenant, "r", `person ${n}`)),
  );
  const join = async (n: number) => {
    // On a slow machine not all of them get the organization's row in time.
    const { status, body } = await insist(tenant.askAt(urls[n % 2] ?? ""))("joinRoom", {
      roomId: "r",
      sessionToken: people[n],
    });
    return { status, body, n };
  };
  let held = new Map<number, { readonly peerId: string; readonly ticket: string }>();
  for (let round = 0; round < count(6, 60, 3); round += 1) {
    const answers = await Promise.all(people.map((_, n) => join(n)));
    const inside = new Map(
      answers
        .filter(({ status }) => status === 200)
        .map(({ body, n }) => [n, { peerId: body.peer.peerId, ticket: body.ticket }]),
    );
    assert.equal(inside.size, LIMIT, `${inside.size} seats were given in round ${round}`);
    for (const [n, { peerId }] of held) {
      assert.equal(inside.get(n)?.peerId, peerId, "a person keeps the seat");
    }
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, body.message], [409, texts.seats_full.text]);
      assert.deepEqual(
        body.errors.map(({ field }: { readonly field: string }) => field),
        ["peerType.moderator", "peerType.viewer"],
      );
    }
    const living = (await seatsOf(world, tenant.id)).filter(({ left_at }) => left_at === null);
    assert.equal(living.length, LIMIT);
    held = new Map([...inside].filter(() => dice.roll(2) === 0));
    await Promise.all(
      [...inside].filter(([n]) => !held.has(n)).map(([, seat]) => leave(tenant, seat)),
    );
  }
};

test("a rush of joins over two processes takes exactly the available seats, again and again", (t) =>
  rush(t));

testTwin("a twin that counts seats before the lock gives more than there are", async (t) => {
  await assert.rejects(rush(t, countsBefore), assert.AssertionError);
});

/** One person opens one invitation in many tabs at once, over two processes, in a room with one seat. */
const manyTabs = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  const tenant = await roomOf(world, { noOfParticipants: 1 });
  for (let round = 0; round < count(3, 30, 2); round += 1) {
    const sessionToken = await invite(tenant, "r", `person ${round}`);
    const tabs = Array.from({ length: 8 }, (_, n) => urls[n % 2] ?? "");
    const answers = await Promise.all(
      tabs.map((url) => insist(tenant.askAt(url))("joinRoom", { roomId: "r", sessionToken })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const seats = new Set(answers.map(({ body }) => body.peer.peerId));
    const living = (await seatsOf(world, tenant.id)).filter(({ left_at }) => left_at === null);
    assert.deepEqual(
      [...seats],
      living.map(({ id }) => id),
    );
    const { seats: counted } = (await tenant.ask("getMeeting", { roomId: "r" })).body.meeting;
    assert.equal(counted.participant.taken, 1);
    const sockets = await Promise.all(
      answers.map(({ body }, n) => openSocket(t, tabs.at(-1 - n) ?? "", body)),
    );
    await until("each ticket has been judged", () =>
      sockets.every(({ view, closed }) => view !== undefined || closed !== undefined),
    );
    const open = sockets.filter(({ view }) => view !== undefined);
    assert.equal(open.length, 1, "the last ticket alone opens the seat");
    for (const socket of open) await leave(tenant, socket);
  }
};

test("an invitation opened many times at once, over two processes, takes one seat with one ticket", (t) =>
  manyTabs(t));

testTwin("a twin that looks for a person's seat before the lock gives more than one", async (t) => {
  await assert.rejects(manyTabs(t, findsBefore), assert.AssertionError);
});

/** A connection is lost in a full room. */
const lost = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await roomOf(world, { noOfParticipants: 1 });
  const ann = await enterInvited(t, world.url, tenant, "r", "Ann");
  ann.cut();
  await keptAway(world, ann.peerId);
  // A person whose lease has certainly expired: once that seat is free, a sweep has run.
  const viewer = await invite(tenant, "r", "Vic", "viewer");
  const { body } = await tenant.ask("joinRoom", { roomId: "r", sessionToken: viewer });
  await expire(world, body.peer.peerId);
  await until(
    "a sweep has passed",
    async () => (await seatOf(world, body.peer.peerId)).state === "left",
  );
  const bob = await invite(tenant, "r", "Bob");
  const refused = await tenant.ask("joinRoom", { roomId: "r", sessionToken: bob });
  assert.equal(refused.body.code, "seats_full", "the seat is kept for Ann");
  const back = await enterInvited(t, world.url, tenant, "r", "Ann");
  assert.equal(back.peerId, ann.peerId);
  assert.equal((await seatOf(world, ann.peerId)).state, "inside");
};

test("a person who loses the connection keeps the seat for a while, and returns to it", (t) =>
  lost(t));

testTwin(
  "a twin that frees a seat before the end of its lease gives it to somebody else",
  async (t) => {
    await assert.rejects(lost(t, freesAtOnce), assert.AssertionError);
  },
);

test("a page that reconnects with its ticket reports no move, and the former page does after another entry", async (t) => {
  const world = await startWorld(t);
  const tenant = await roomOf(world);
  for (const url of [world.url, await world.second()]) {
    const ann = await enterInvited(t, world.url, tenant, "r", "Ann");
    const again = await openSocket(t, url, ann);
    await again.sees("everything", () => true);
    await until("the former socket is closed", () => ann.closed !== undefined);
    assert.deepEqual([ann.ended, ann.closed], [undefined, 1012]);
    const elsewhere = await enterInvited(t, url, tenant, "r", "Ann");
    assert.equal(elsewhere.peerId, ann.peerId);
    await until("the page gets the end", () => again.closed !== undefined);
    assert.deepEqual([again.ended?.reason, again.closed], ["moved", 1000]);
  }
});

/** A person connects repeatedly; the former connections end late. */
const fenced = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await roomOf(world);
  const ann = await enterInvited(t, world.url, tenant, "r", "Ann");
  let last = ann;
  for (let n = 0; n < 5; n += 1) {
    const former = last;
    last = await openSocket(t, world.url, ann);
    await last.sees("everything", () => true);
    await until("the former connection has ended", () => former.closed !== undefined);
    assert.deepEqual([former.ended, former.closed], [undefined, 1012]);
    assert.equal(await last.do("hand", { up: n % 2 === 0 }), "ok");
  }
  const { state, lease_until } = await seatOf(world, ann.peerId);
  assert.deepEqual([state, lease_until], ["inside", null]);
};

test("the late end of an earlier connection does not affect the current one", (t) => fenced(t));

testTwin("a twin that ignores the number of a connection loses the person inside", async (t) => {
  await assert.rejects(fenced(t, closesUnfenced), assert.AssertionError);
});

test("a seat whose lease has run out is free, and its person was there until the connection was lost", async (t) => {
  const world = await startWorld(t);
  const tenant = await roomOf(world, { noOfParticipants: 1 });
  const ann = await enterInvited(t, world.url, tenant, "r", "Ann");
  ann.cut();
  await until("the seat is away", async () => (await seatOf(world, ann.peerId)).state === "away");
  const { last_seen } = await seatOf(world, ann.peerId);
  await expire(world, ann.peerId);
  await until("the seat is free", async () => (await seatOf(world, ann.peerId)).state === "left");
  const { left_at, reason } = await seatOf(world, ann.peerId);
  assert.deepEqual([left_at, reason], [last_seen, "lost"]);
  const { body } = await tenant.ask("fetchRoom", { id: "r" });
  assert.equal(body.roomSetting.roomStatus, "free");
  const again = await openSocket(t, world.url, ann);
  await until("the ticket is refused", () => again.closed === 4001);
  await enterInvited(t, world.url, tenant, "r", "Bob");
});

test("a seat that was never entered is free after its lease, and makes no meeting", async (t) => {
  const world = await startWorld(t);
  const tenant = await roomOf(world);
  const sessionToken = await invite(tenant, "r", "Ann");
  const { body } = await tenant.ask("joinRoom", { roomId: "r", sessionToken });
  const seat = await seatOf(world, body.peer.peerId);
  assert.deepEqual([seat.state, seat.joined_at], ["claimed", null]);
  await expire(world, seat.id);
  await until("the seat is free", async () => (await seatOf(world, seat.id)).state === "left");
  const { body: list } = await tenant.ask("listMeetings", {});
  assert.deepEqual([list.meetings, list.pagination.total], [[], 0]);
  assert.equal((await tenant.ask("fetchRoom", { id: "r" })).body.roomSetting.totalCallTime, "0");
});

test("a person connected to a killed process is away, counts as present while it lived, and can return within the lease", async (t) => {
  const world = await startWorld(t);
  const tenant = await roomOf(world);
  const ann = await enterInvited(t, world.url, tenant, "r", "Ann");
  const alive_at = new Date(Date.now() - 60_000).toISOString();
  await world.database.change(async (tx) => {
    // As left by a process that was killed a minute ago.
    await tx.insertInto("processes").values({ id: "killed", alive_at }).execute();
    const then = { process: "killed", joined_at: alive_at, last_seen: alive_at };
    await tx.updateTable("seats").set(then).where("id", "=", ann.peerId).execute();
  });
  await until("the seat is away", async () => (await seatOf(world, ann.peerId)).state === "away");
  const { process, last_seen } = await seatOf(world, ann.peerId);
  assert.deepEqual([process, last_seen], [null, alive_at]);
  const back = await openSocket(t, world.url, ann);
  await back.sees("everything", ({ you }) => you.peerId === ann.peerId);
  assert.equal((await seatOf(world, ann.peerId)).state, "inside");
});

test("a p2p room has two seats in all, and without a media engine at most six meet directly", async (t) => {
  const world = await startWorld(t);
  const pair = await roomOf(world, { roomType: "p2p" });
  await enterInvited(t, world.url, pair, "r", "Ann");
  await enterInvited(t, world.url, pair, "r", "Bob", "moderator");
  const third = await invite(pair, "r", "Cid", "viewer");
  const refused = await pair.ask("joinRoom", { roomId: "r", sessionToken: third });
  assert.deepEqual([refused.body.code, saidIn(refused.body.errors)], ["seats_full", undefined]);
  const many = await roomOf(world, { noOfParticipants: 20 });
  for (let n = 0; n < 6; n += 1) await enterInvited(t, world.url, many, "r", `person ${n}`);
  const seventh = await invite(many, "r", "one too many");
  const { status, body } = await many.ask("joinRoom", { roomId: "r", sessionToken: seventh });
  assert.deepEqual([status, body.code], [409, "media_engine_needed"]);
});
