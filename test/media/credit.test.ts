// Runs: sqlite
// Needs: media-engine

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { ParticipantUpdate } from "@livekit/protocol";
import { WebSocket, WebSocketServer } from "ws";
import { openCluster } from "../../server/media/cluster.ts";
import { noEngine } from "../run/engine.ts";
import { enter, type Gate, join, mayAll, openGate, withOwnGate } from "./gate.ts";
import { joined, person, request, response } from "./messages.ts";

let gate: Gate;
withOwnGate((_, opened) => {
  gate = opened;
});

const skip = { skip: noEngine };
const admit = (seat: string, person: string): string => {
  gate.tickets.set(`ticket-of-${seat}`, { seat, person, grant: mayAll, see: () => "all" });
  return `ticket-of-${seat}`;
};

test(
  "a person who connects endlessly waits, with any ticket, and nobody else does",
  skip,
  async () => {
    let inside = 0;
    for (; inside < 200; inside += 1) {
      const found = await join(gate, admit(`restless-${inside % 3}`, "restless"));
      if (found === 429) break;
      if (typeof found === "number") throw new Error(`The gate answered ${found}.`);
      found.socket.terminate();
    }
    // A page whose network comes and goes is not kept out.
    assert.ok(inside >= 30 && inside < 200, `${inside} times inside`);
    const patient = await enter(gate, admit("patient", "patient"));
    await patient.next("join");
    patient.socket.terminate();
  },
);

/** Sends pings until the connection is cut, at first some whose answers it awaits. @returns how many were answered */
const pour = async (seat: string, awaited: number): Promise<number> => {
  const client = await enter(gate, admit(seat, "chatty"));
  await client.next("join");
  const ping = request({ case: "ping", value: 1n });
  for (let at = 0; at < awaited; at += 1) client.socket.send(ping);
  for (let at = 0; at < awaited; at += 1) await client.next("pong");
  const pouring = setInterval(() => {
    for (let at = 0; at < 500; at += 1) client.socket.send(ping);
  });
  await client.closed;
  clearInterval(pouring);
  return client.messages.filter((message) => message.case === "pong").length;
};

test("a client that sends too much gets no more on its next connection", skip, async () => {
  const since = performance.now();
  const answered = (await pour("chatty-1", 200)) + (await pour("chatty-2", 0));
  const seconds = (performance.now() - since) / 1000;
  // A ping costs two: the message and its field.
  const most = (10_000 + seconds * 2_000) / 2;
  // Answers that are on their way when a connection is cut do not arrive.
  assert.ok(answered >= 200 && answered <= most, `${answered} in ${seconds} s`);
});

test("a large message from the engine ends nobody's connection", async (t) => {
  const livekit = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  t.after(() => livekit.close());
  await once(livekit, "listening");
  const loud = person("loud");
  // More than 4 MiB: an engine may have it from before an update of Parley.
  loud.metadata = "x".repeat(6 * 1024 * 1024);
  livekit.on("connection", (socket) => {
    socket.send(joined("quiet", ["friend"]));
    const value = new ParticipantUpdate({ participants: [loud] });
    socket.send(response({ case: "update", value }));
  });
  const { port } = livekit.address() as AddressInfo;
  const cluster = { url: `http://127.0.0.1:${port}`, key: "key", secret: "secret" };
  const quiet = await openGate(openCluster(() => cluster));
  t.after(() => quiet.stop());
  quiet.tickets.set("t", { seat: "quiet", grant: mayAll, see: () => "all" });
  const client = await enter(quiet, "t");
  await client.next("join");
  const { participants } = await client.next("update");
  assert.deepEqual(
    participants.map(({ identity, metadata }) => [identity, metadata]),
    [["loud", ""]],
  );
  assert.equal(client.socket.readyState, WebSocket.OPEN);
  client.socket.terminate();
});
