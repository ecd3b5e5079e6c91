// Runs: waits
// Needs: media-engine

import assert from "node:assert/strict";
import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { type TestContext, test } from "node:test";
import { TrackSource } from "@livekit/protocol";
import { noEngine } from "../run/engine.ts";
import { forgetsWhoArrives, leavesTheEngineAlone, removesOnce } from "../twins/privacy.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { begin, connectMedia, startEngine, tryMedia } from "./engine.ts";
import { seatOf } from "./place.ts";

/** Returns whether updates of a person's grant, with the microphone or without it, reach the engine. */
type Judge = (microphone: boolean) => Promise<boolean>;

/** A network in front of an engine that loses and delays the messages that a test chooses. */
const startNetwork = async (t: Scope) => {
  const { environment } = await startEngine(t);
  const engine = new URL(environment.LIVEKIT_URL ?? "");
  const network = {
    judge: (async () => true) as Judge,
    /** True to keep removals from the engine. */
    losesRemovals: false,
    lost: 0,
    holds: false,
    /** The removals and the connections that have reached it: the person's ID, and "dial". */
    passed: [] as string[],
  };
  /** Connections being made that are held back. */
  const held = new Set<Duplex>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (request.url?.endsWith("/UpdateParticipant")) {
      const { can_publish_sources: sources } = JSON.parse(String(body)).permission;
      if (!(await network.judge(sources.includes("MICROPHONE")))) return request.socket.destroy();
    }
    if (request.url?.endsWith("/RemoveParticipant")) {
      if (network.losesRemovals) {
        network.lost += 1;
        return request.socket.destroy();
      }
      network.passed.push(JSON.parse(String(body)).identity);
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
    network.passed.push("dial");
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

/** A moderator, and a guest with a microphone to whom the engine reports their grant. */
const meet = async (t: TestContext) => {
  const { url, guest, moderator, edit } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const before = client.messages.length;
  /** Each change since then: whether the microphone was allowed. */
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

test("a muted person may unmute, even if the engine was silent for a moment", skip, async (t) => {
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
});

test(
  "a mute that ends during an edit of the room returns nothing that the edit took",
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
  "a removed person is out at once, even while another connection of theirs is being made",
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

/** Ann and Ben see each other; then Ann has no signaling, while the engine still has her. */
const annIsAway = async (t: TestContext, twin: Twin) => {
  const { environment, ...rest } = await startNetwork(t);
  const here = await startWorld(t, { environment, twin });
  const { url, guest, edit } = await begin(here);
  const [ann, ben] = [await guest(t, "Ann"), await guest(t, "Ben")];
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  client.socket.terminate();
  await until("nobody relays Ann's signaling", async () => {
    const { media_process } = await seatOf(here, ann.peerId);
    return media_process === null;
  });
  rest.network.passed.length = 0;
  const knowsAnn = () => ben.view?.peers.some(({ peerId }) => peerId === ann.peerId);
  assert.ok(knowsAnn());
  const hide = async (): Promise<void> => {
    assert.equal((await edit({ participantPrivacy: true })).status, 200);
    await until("they do not see each other", () => !knowsAnn());
  };
  return { ...rest, url, ann, hide };
};

const removesWhoGivesUp = async (t: TestContext, twin = leavesTheEngineAlone): Promise<void> => {
  const { network, held, url, ann, hide } = await annIsAway(t, twin);
  network.holds = true;
  const again = tryMedia(url, ann.ticket);
  await until("a connection is being made", () => held.size === 1);
  await hide();
  assert.deepEqual(network.passed, [], "nobody is removed while they come back");
  network.holds = false;
  for (const making of held) making.destroy();
  assert.equal(await again, 503);
  // A slow engine is asked twice.
  assert.deepEqual([...new Set(network.passed)], [ann.peerId]);
};

test("a person whose view shrinks while they reconnect is removed from the engine", skip, (t) =>
  removesWhoGivesUp(t),
);

testTwin("a twin that forgets whom to remove while they connect is detected", async (t) => {
  if (noEngine) return t.skip(noEngine);
  await assert.rejects(removesWhoGivesUp(t, forgetsWhoArrives), { actual: [] });
});

const removesBeforeTheDoor = async (t: TestContext, twin = leavesTheEngineAlone): Promise<void> => {
  const { network, url, ann, hide } = await annIsAway(t, twin);
  network.losesRemovals = true;
  await hide();
  // The engine gets two requests.
  await until("the removal was lost", () => network.lost >= 2);
  assert.equal(await tryMedia(url, ann.ticket), 503);
  assert.deepEqual(network.passed, []);
  network.losesRemovals = false;
  // Like a page, which tries again after 503: a slow engine may refuse the first connection after a removal.
  let answer: Awaited<ReturnType<typeof tryMedia>> = 503;
  await until("she is let in", async () => {
    answer = await tryMedia(url, ann.ticket);
    return answer !== 503;
  });
  assert.equal(typeof answer, "object", `refused with ${answer}`);
  assert.deepEqual([...new Set(network.passed)], [ann.peerId, "dial"]);
};

test(
  "a person whose view shrank, and whose removal failed, is let in again only after the removal",
  skip,
  (t) => removesBeforeTheDoor(t),
);

testTwin("a twin that tries only once to remove somebody is detected", async (t) => {
  if (noEngine) return t.skip(noEngine);
  await assert.rejects(removesBeforeTheDoor(t, removesOnce), { expected: 503 });
});
