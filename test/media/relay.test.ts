// Runs: sqlite
// Needs: media-engine

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import {
  AddTrackRequest,
  LeaveRequest,
  SyncState,
  TrackPublishedResponse,
  TrackSource,
  TrackType,
} from "@livekit/protocol";
import { WebSocket } from "ws";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { noEngine } from "../run/engine.ts";
import { enter, type Gate, join, mayAll, openGate, withOwnGate } from "./gate.ts";
import { joinRequest, request } from "./messages.ts";
import { type OwnEngine, ownEngine, until } from "./world.ts";

let own: OwnEngine;
let gate: Gate;
withOwnGate((engine, opened) => {
  own = engine;
  gate = opened;
});

const inside = async (): Promise<ReadonlySet<string>> =>
  (await own.engine.list()).get("meeting") ?? new Set();
const admit = (seat: string, more: Partial<Parameters<Gate["tickets"]["set"]>[1]> = {}): string => {
  const ticket = `ticket-of-${seat}`;
  gate.tickets.set(ticket, { seat, grant: mayAll, see: () => "all", ...more });
  return ticket;
};
const endOf = (seat: string) => until(async () => gate.ended.find((one) => one.seat === seat));
const skip = { skip: noEngine };

test(
  "a ticket lets its person in, the engine lists the seat, and the person gets no token",
  skip,
  async () => {
    const client = await enter(gate, admit("one"));
    const { participant, iceServers, otherParticipants } = await client.next("join");
    assert.equal(participant?.identity, "one");
    assert.equal(participant?.permission?.canPublishData, false);
    assert.deepEqual([iceServers, otherParticipants], [[], []]);
    assert.ok((await inside()).has("one"));
    client.socket.close();
    await endOf("one");
    assert.ok(!client.messages.some((message) => message.case === "refreshToken"));
    assert.ok(
      !JSON.stringify(client.messages, (_, v) => (typeof v === "bigint" ? 0 : v)).includes("eyJ"),
    );
  },
);

test("an unknown ticket is refused with 403, which stops the client's retries", skip, async () => {
  assert.equal(await join(gate, "nobody's ticket"), 403);
  assert.equal(await gate.relay.validate("nobody's ticket"), 403);
  assert.equal(await gate.relay.validate(admit("valid")), 200);
});

test("a removed person is cut at once and cannot come back with their ticket", skip, async () => {
  const ticket = admit("kicked");
  const client = await enter(gate, ticket);
  await client.next("join");
  gate.tickets.delete(ticket);
  await own.engine.remove("meeting", "kicked");
  await client.closed;
  assert.equal(await join(gate, ticket), 403);
  assert.ok(!(await inside()).has("kicked"));
  // Removing a person who is not there is not an error.
  await own.engine.remove("meeting", "kicked");
});

test(
  "the same ticket connects once at a time: the newer connection ends the older",
  skip,
  async () => {
    const ticket = admit("twice");
    const older = await enter(gate, ticket);
    await older.next("join");
    const newer = await enter(gate, ticket);
    await newer.next("join");
    await older.closed;
    const end = await endOf("twice");
    assert.equal([...(await inside())].filter((seat) => seat.startsWith("twice")).length, 1);
    assert.equal(newer.socket.readyState, WebSocket.OPEN);
    assert.equal(gate.ended.filter(({ seat }) => seat === "twice").length, 1);
    newer.socket.close();
    await until(async () => gate.ended.filter(({ seat }) => seat === "twice").length === 2);
    const later = gate.ended.filter(({ seat }) => seat === "twice")[1];
    assert.ok(later !== undefined && later.connection > end.connection);
  },
);

test("the gate tells people who left from lost connections", skip, async () => {
  const leaving = await enter(gate, admit("leaver"));
  await leaving.next("join");
  leaving.socket.send(request({ case: "leave", value: new LeaveRequest() }));
  assert.equal((await endOf("leaver")).how, "left");
  const lost = await enter(gate, admit("lost"));
  await lost.next("join");
  lost.socket.terminate();
  assert.equal((await endOf("lost")).how, "lost");
});

test(
  "under privacy two participants never learn of each other, and the moderator sees both",
  skip,
  async () => {
    const see = (seat: string) => (seat === "mod" ? "all" : "none");
    const moderator = await enter(gate, admit("mod"));
    await moderator.next("join");
    const ann = await enter(gate, admit("secret-ann", { see }));
    await ann.next("join");
    const bob = await enter(gate, admit("secret-bob", { see }));
    const { otherParticipants } = await bob.next("join");
    assert.deepEqual(
      otherParticipants.map(({ identity }) => identity),
      ["mod"],
    );
    const seen = new Set<string>();
    while (!(seen.has("secret-ann") && seen.has("secret-bob"))) {
      const { participants } = await moderator.next("update");
      for (const { identity } of participants) seen.add(identity);
    }
    const told = (client: typeof ann) =>
      client.messages.flatMap((message) =>
        message.case === "update" ? message.value.participants : [],
      );
    assert.ok(!told(ann).some(({ identity }) => identity === "secret-bob"));
    assert.ok(!told(bob).some(({ identity }) => identity === "secret-ann"));
    for (const client of [moderator, ann, bob]) client.socket.close();
  },
);

test(
  "a changed grant reaches the person inside, and a source that it takes away cannot be published",
  skip,
  async () => {
    const client = await enter(gate, admit("muted"));
    await client.next("join");
    const grant = { ...mayAll, publish: ["microphone"] } as const;
    assert.equal(await own.engine.update("meeting", "muted", grant), true);
    const add = (cid: string, source: TrackSource, type: TrackType) =>
      client.socket.send(
        request({ case: "addTrack", value: new AddTrackRequest({ cid, source, type }) }),
      );
    add("camera", TrackSource.CAMERA, TrackType.VIDEO);
    const answer = await client.next("requestResponse");
    assert.ok(answer.request.case === "addTrack" && answer.request.value.cid === "camera");
    add("microphone", TrackSource.MICROPHONE, TrackType.AUDIO);
    assert.equal((await client.next("trackPublished")).cid, "microphone");
    assert.equal(await own.engine.update("meeting", "nobody", grant), false);
    client.socket.close();
  },
);

test("closing a meeting cuts everybody in it", skip, async () => {
  const clients = await Promise.all(["x", "y"].map((seat) => enter(gate, admit(seat))));
  await Promise.all(clients.map((client) => client.next("join")));
  await own.engine.close("meeting");
  await Promise.all(clients.map(({ closed }) => closed));
  await until(async () => !(await own.engine.list()).has("meeting"));
});

/** LiveKit by itself admits only a quarter of four hundred people who join at once. */
const people = process.env.PARLEY_SOAK === "1" ? 400 : 50;

test(`${people} people who join at once all get in`, skip, async () => {
  const names = Array.from({ length: people }, (_, at) => `rush-${at}`);
  const clients = await Promise.all(names.map((seat) => enter(gate, admit(seat))));
  await Promise.all(clients.map((client) => client.next("join")));
  const listed = await inside();
  assert.ok(names.every((seat) => listed.has(seat)));
  for (const { socket } of clients) socket.terminate();
});

test(
  "a request that is not a join gets 400, and one that is not a WebSocket takes no seat",
  skip,
  async () => {
    const socket = new WebSocket(
      `${gate.url}${gate.relay.path}?access_token=${admit("bad")}&join_request=AAAA`,
    );
    const [, response] = await once(socket, "unexpected-response");
    assert.equal(response.statusCode, 400);
    socket.on("error", () => {}).terminate();
    assert.equal(
      gate.ended.some(({ seat }) => seat === "bad"),
      false,
    );
  },
);

test(
  "without a ticket nothing is decompressed, and nobody can create more objects than a page needs",
  skip,
  async () => {
    // Two bytes each, and almost none when compressed.
    const asked = joinRequest({
      addTrackRequests: Array.from({ length: 20_000 }, () => new AddTrackRequest()),
    });
    assert.equal(await join(gate, "nobody's ticket", asked), 403);
    assert.equal(await join(gate, admit("unpacks"), asked), 400);
    const client = await enter(gate, admit("floods"));
    await client.next("join");
    const publishTracks = Array.from({ length: 20_000 }, () => new TrackPublishedResponse());
    client.socket.send(request({ case: "syncState", value: new SyncState({ publishTracks }) }));
    await client.closed;
    assert.equal((await endOf("floods")).how, "lost");
  },
);

test("a ticket has at most two connections in the making at a time", skip, async () => {
  const held = Promise.withResolvers<void>();
  let dials = 0;
  const slow = await openGate({
    ...own.engine,
    async connect(...asked) {
      dials += 1;
      await held.promise;
      return own.engine.connect(...asked);
    },
  });
  const ticket = "ticket-of-impatient";
  slow.tickets.set(ticket, { seat: "impatient", grant: mayAll, see: () => "all" });
  const first = [enter(slow, ticket), enter(slow, ticket)];
  await until(async () => dials === 2);
  assert.equal(await join(slow, ticket), 429);
  held.resolve();
  await Promise.all(first);
  const again = await enter(slow, ticket);
  await again.next("join");
  assert.equal(dials, 3);
  again.socket.close();
  await slow.stop();
});

test(
  "a ticket may come in a header, as LiveKit's clients outside of browsers send it",
  skip,
  async () => {
    const asked = new URLSearchParams({ join_request: writeJoinRequest(joinRequest()) });
    const headers = { authorization: `Bearer ${admit("header")}` };
    const socket = new WebSocket(`${gate.url}${gate.relay.path}?${asked}`, { headers });
    await once(socket, "message");
    assert.ok((await inside()).has("header"));
    socket.terminate();
  },
);

test("a client that sends an invalid message is cut", skip, async () => {
  const client = await enter(gate, admit("noise"));
  await client.next("join");
  client.socket.send(Buffer.from([0xff, 0xff, 0xff]));
  await client.closed;
  assert.equal((await endOf("noise")).how, "lost");
});

test(
  "while the engine is unavailable people are asked to try again, and their seats are given back",
  skip,
  async () => {
    const away = await ownEngine();
    const closed = await openGate(away.engine);
    closed.tickets.set("t", { seat: "early", grant: mayAll, see: () => "all" });
    assert.equal(await join(closed, "t", joinRequest()), 503);
    assert.deepEqual(
      closed.ended.map(({ seat, how }) => [seat, how]),
      [["early", "lost"]],
    );
    await closed.stop();
  },
);
