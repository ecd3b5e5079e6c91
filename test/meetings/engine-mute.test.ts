import assert from "node:assert/strict";
import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { type TestContext, test } from "node:test";
import { TrackSource } from "@livekit/protocol";
import { noEngine } from "../run/engine.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { begin, connectMedia, startEngine, tryMedia } from "./engine.ts";

/** Whether an update of somebody's grant, with the microphone or without it, reaches the engine. */
type Judge = (microphone: boolean) => Promise<boolean>;

/** A network before an engine that loses and delays what a test wants it to. */
const startNetwork = async (t: Scope) => {
  const { environment } = await startEngine(t);
  const engine = new URL(environment.LIVEKIT_URL ?? "");
  const network = { judge: (async () => true) as Judge, holds: false };
  /** Connections that are being made, and are held. */
  const held = new Set<Duplex>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (request.url?.endsWith("/UpdateParticipant")) {
      const { can_publish_sources: sources } = JSON.parse(String(body)).permission;
      if (!(await network.judge(sources.includes("MICROPHONE")))) return request.socket.destroy();
    }
    const { method, headers } = request;
    const passed = ask(new URL(request.url ?? "", engine), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy()).end(body);
  });
  server.on("upgrade", ({ url, rawHeaders }, socket, head) => {
    if (network.holds) {
      held.add(socket.on("error", () => {}).once("close", () => held.delete(socket)));
      return;
    }
    const upstream = connect(Number(engine.port), engine.hostname, () => {
      const lines = rawHeaders.map((text, n) => (n % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      upstream.write(`GET ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of held) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    network,
    held,
    environment: { ...environment, LIVEKIT_URL: `http://127.0.0.1:${port}` },
  };
};

const skip = { skip: noEngine };
const own = noEngine ? undefined : await startNetwork(test);
const world = own && (await startWorld(test, { environment: own.environment }));

/** A moderator, and a guest with a microphone whom the engine tells what may be sent. */
const meet = async (t: TestContext) => {
  const { url, guest, moderator, edit } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const before = client.messages.length;
  /** Whether the microphone was allowed, each time that it changed since then. */
  const told = (): readonly boolean[] =>
    client.messages
      .slice(before)
      .flatMap((message) => (message.case === "update" ? message.value.participants : []))
      .filter(({ identity, permission }) => identity === ann.peerId && permission !== undefined)
      .map(({ permission }) => permission?.canPublishSources.includes(TrackSource.MICROPHONE))
      .map(Boolean);
  const judge = (by: Judge): void => {
    if (own) own.network.judge = by;
  };
  t.after(() => judge(async () => true));
  const mute = () => mod.do("mutePeer", { peerId: ann.peerId, type: "audio" });
  return { edit, told, judge, mute };
};

test(
  "who is muted may unmute, also where the engine did not answer for a moment",
  skip,
  async (t) => {
    const { told, judge, mute } = await meet(t);
    let lost = 0;
    judge(async (microphone) => {
      if (microphone && lost < 2) {
        lost += 1;
        return false;
      }
      return true;
    });
    assert.equal(await mute(), "ok");
    await until("the microphone was taken", () => told().includes(false));
    await until("it is back", () => told().at(-1) === true);
    assert.equal(lost, 2);
  },
);

test(
  "a mute that ends while the room is edited gives nothing back that the edit has taken",
  skip,
  async (t) => {
    const { edit, told, judge, mute } = await meet(t);
    const held = Promise.withResolvers<boolean>();
    let isHeld = false;
    let taken = 0;
    judge((microphone) => {
      if (!microphone) taken += 1;
      if (!microphone || isHeld) return Promise.resolve(true);
      isHeld = true;
      return held.promise;
    });
    assert.equal(await mute(), "ok");
    await until("it is about to be given back", () => isHeld);
    assert.equal((await edit({ audioStatus: false })).status, 200);
    await until("the engine is told of the edit", () => taken === 2);
    held.resolve(true);
    await until("it was given back", () => told().includes(true));
    await until("it is taken again", () => told().at(-1) === false);
  },
);

test(
  "who is removed is out at once, also while another connection of theirs is being made",
  skip,
  async (t) => {
    const { url, guest, moderator } = await begin(world);
    const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
    const client = await connectMedia(url, ann.ticket);
    await client.next("join");
    const { network, held } = own as NonNullable<typeof own>;
    network.holds = true;
    const again = tryMedia(url, ann.ticket);
    await until("another is being made", () => held.size === 1);
    network.holds = false;
    assert.equal(await mod.do("removePeer", { peerId: ann.peerId }), "ok");
    await client.closed;
    const [making] = held;
    assert.ok(making, "it is still being made");
    making.destroy();
    assert.equal(await again, 503);
  },
);
