// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { givesUpForNothing, keepsEveryClaim, keepsTheConnected } from "../twins/claims.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { type Ask, askAs, insist } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter as enterAs, openSocket, type Somebody } from "./inside.ts";
import { keepSeats, newPlace } from "./place.ts";

const SEATS = 5;

/** A service behind a proxy, and guests from addresses that the proxy reports. */
const openDoor = async (t: TestContext, settings: object = {}, twin?: Twin) => {
  const world = await startWorld(t, { twin, environment: { TRUST_PROXY: "loopback" } });
  const place = await newPlace(world, { noOfParticipants: SEATS, ...settings });
  /** A guest without a cookie: always a new person. */
  const join = async (address: string, ask: Ask = world.open) => {
    const asked = { roomId: place.code, peerName: address };
    const { status, body } = await insist(ask)("joinRoom", asked, { "x-forwarded-for": address });
    return { status, body };
  };
  const enter = async (address: string) => {
    const { status, body } = await join(address);
    assert.equal(status, 200, `${address} gets in: ${JSON.stringify(body)}`);
    const socket = await openSocket(t, world.url, { ...body, peerId: body.peer.peerId });
    await socket.sees("everything", ({ you }) => you.peerId === body.peer.peerId);
    return socket;
  };
  const taken = async () =>
    (await place.tenant.ask("getMeeting", { roomId: "r" })).body.meeting.seats.participant.taken;
  return { ...place, world, join, enter, taken };
};

/** One script claims every seat and never enters, over two processes, while people arrive. */
const scriptHolds = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, join, enter, taken } = await openDoor(t, {}, twin);
  const doors = [world.open, askAs(await world.second(), undefined)];
  const claimAll = async () => {
    const claims = Array.from({ length: 3 * SEATS }, (_, n) => join("198.51.100.1", doors[n % 2]));
    const statuses = (await Promise.all(claims)).map(({ status }) => status);
    await keepSeats(world, "claimed");
    return statuses;
  };
  const statuses = await claimAll();
  assert.equal(statuses.filter((status) => status === 200).length, SEATS, "it has every seat");
  const inside = [];
  for (let n = 1; n < SEATS; n += 1) {
    inside.push(await enter(`203.0.113.${n}`));
    assert.deepEqual(new Set(await claimAll()), new Set([409]), "it gets nothing back");
    assert.equal(await taken(), SEATS);
  }
  // An address with a single claim counts as an ordinary person, and keeps it.
  assert.equal((await join("203.0.113.99")).body.code, "seats_full");
  for (const { ended, closed } of inside) assert.deepEqual([ended, closed], [undefined, undefined]);
};

test("P-MEET-10: a script that claims every seat and never enters keeps out nobody from other addresses", (t) =>
  scriptHolds(t));

testTwin("a twin that gives up no claim lets one script hold a whole room", async (t) => {
  await assert.rejects(scriptHolds(t, keepsEveryClaim), /gets in: /);
});

test("P-MEET-10: a class behind one address gets every seat, and people inside keep theirs", async (t) => {
  const { enter, join, asMember, taken, world } = await openDoor(t);
  const school = "198.51.100.7";
  for (let n = 0; n < SEATS - 2; n += 1) await enter(school);
  const last = await Promise.all([join(school), join(school)]);
  await keepSeats(world, "claimed");
  assert.deepEqual(
    last.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await join(school)).body.code, "seats_full", "nor does it gain by its own claims");
  // A member has no claims here: one of the two that were not entered is given up.
  assert.equal((await asMember("joinRoom", { roomId: "r" })).status, 200);
  assert.equal((await join("203.0.113.1")).body.code, "seats_full");
  assert.equal(await taken(), SEATS);
  const stored = await world.database.read
    .selectFrom("seats")
    .select("state")
    .where("claimed_from", "is not", null)
    .execute();
  const states = stored.map(({ state }) => state);
  assert.deepEqual(states, ["claimed"], "only of who has not entered yet");
});

/**
 * A limit is lowered below the number of claims that nobody has entered; then everybody who waits is let in.
 */
const lowered = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, join, edit, asAdmin, code, taken } = await openDoor(t, { noOfViewers: 1 }, twin);
  // Few enough that no seat is missing for lack of a media engine.
  const claims = 3;
  for (let n = 0; n < claims; n += 1) {
    assert.equal((await join("198.51.100.1")).status, 200);
  }
  await keepSeats(world, "claimed");
  const moderator = await enterAs(t, { url: world.url, ask: asAdmin }, "r");
  await edit({ noOfParticipants: 1, authenticationRequired: true });
  const guest = (peerName: string, peerType: "participant" | "viewer") =>
    enterAs(t, { url: world.url, ask: world.open }, code, { peerName, peerType });
  await guest("Ida", "participant");
  const vic = await guest("Vic", "viewer");
  await guest("Jon", "participant");
  await moderator.sees("three wait", ({ waiting }) => waiting.length === 3);
  assert.equal(await moderator.do("allowRoomJoin", { all: true }), "ok");
  await vic.sees("the meeting", () => true);
  await moderator.sees("two wait on", ({ waiting }) => waiting.length === 2);
  const { waiting = [] } = moderator.view ?? {};
  assert.deepEqual(
    waiting.map(({ peerName }) => peerName),
    ["Ida", "Jon"],
    "in their order",
  );
  assert.equal(await taken(), claims, "nobody has lost a seat for nothing");
};

test("people who do not fit after a limit was lowered keep waiting, and no claim is given up in vain", (t) =>
  lowered(t));

testTwin("a twin that gives up a claim before it makes a place takes claims in vain", async (t) => {
  await assert.rejects(lowered(t, givesUpForNothing), /lost a seat for nothing/);
});

test("P-MEET-10: in a room for two the seats of both roles are given up", async (t) => {
  const settings = { roomType: "p2p", noOfParticipants: 2 };
  const { join, asAdmin, world } = await openDoor(t, settings);
  for (let n = 0; n < 2; n += 1) assert.equal((await join("198.51.100.1")).status, 200);
  await keepSeats(world, "claimed");
  assert.equal((await asAdmin("joinRoom", { roomId: "r" })).status, 200);
  assert.equal((await join("203.0.113.1")).body.code, "seats_full");
});

/** At least this many can wait in a lobby. */
const LOBBY = 50;

/**
 * One script takes every place in the lobby, connects all of them and never enters, while two other
 * people arrive.
 */
const scriptWaits = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, join } = await openDoor(t, { authenticationRequired: true }, twin);
  const waitAll = async (many: number) => {
    const answers = await Promise.all(Array.from({ length: many }, () => join("198.51.100.1")));
    return answers.map(({ status, body }) => ({ answer: body.code ?? status, body }));
  };
  const taken = (await waitAll(LOBBY + 2)).filter(({ answer }) => answer === 202);
  assert.equal(taken.length, LOBBY, "it has every place");
  await keepSeats(world, "waiting");
  const connected = await Promise.all(taken.map(({ body }) => openSocket(t, world.url, body)));
  const inLobby = ({ messages }: Somebody) => messages.some(({ type }) => type === "lobby");
  await until("all of it is connected", () => connected.every(inLobby));
  const people = [];
  for (const address of ["203.0.113.1", "203.0.113.2"]) {
    const { status, body } = await join(address);
    assert.equal(status, 202, `${address} may wait: ${JSON.stringify(body)}`);
    people.push(await openSocket(t, world.url, body));
    const [{ answer } = {}] = await waitAll(1);
    assert.equal(answer, "lobby_full", "it gets nothing back");
    const turnedAway = () => connected.filter(({ ended }) => ended?.reason === "lobby_full").length;
    await until("one of them is turned away", () => turnedAway() === people.length);
  }
  for (const { ended, closed } of people) assert.deepEqual([ended, closed], [undefined, undefined]);
};

test("P-MEET-10: a script that takes every place in the lobby and never enters keeps nobody from waiting", (t) =>
  scriptWaits(t));

testTwin("a twin that gives up no claim lets one script fill the lobby", async (t) => {
  await assert.rejects(scriptWaits(t, keepsEveryClaim), /may wait: /);
});

testTwin("a twin that spares connected people lets one script fill the lobby", async (t) => {
  await assert.rejects(scriptWaits(t, keepsTheConnected), /may wait: /);
});
