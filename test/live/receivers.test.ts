import assert from "node:assert/strict";
import dns, { promises } from "node:dns";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import * as rtmp from "../../server/live/rtmp.ts";
import { parseTarget } from "../../server/live/target.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { addRecorder } from "../recordings/rows.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { resolvesAgain } from "../twins/webhooks.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld, type World } from "../world/world.ts";

/* Which receivers of live streams the service connects to: others than its operator choose them. */

const world = await startWorld(test);
await addRecorder(world.database);

const INSIDE = [
  "127.0.0.1",
  "localhost",
  "LocalHost",
  "169.254.169.254",
  "10.1.2.3",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "0x7f.1",
  "2130706433",
  "0",
];
const MESSAGE =
  "must be an address of the public Internet, or one that the operator allows: ALLOWED_NETWORKS";

/** A meeting in a room that streams to this receiver, with its administrator inside. */
const meet = async (t: TestContext, where: World, liveStreamUrl: string) => {
  const settings = { enableLiveStreaming: true, enableRTMPStreaming: true, liveStreamUrl };
  const place = await newPlace(where, settings);
  const moderator = await enter(t, { url: where.url, ask: place.asAdmin }, "r");
  return { ...place, moderator };
};

test("no stream, to a given receiver or the room's, starts inside the operator's network unless allowed", async (t) => {
  const { tenant, moderator, edit } = await meet(t, world, "rtmps://live.example.org/app/key");
  const start = (input: object) => tenant.ask("startStream", { roomId: "r", ...input });
  for (const host of INSIDE) {
    const url = `rtmp://${host}:1935/app/key`;
    const given = await start({ url });
    assert.equal(given.status, 400, `${host}: ${given.text}`);
    assert.deepEqual(saidIn(given.body.errors), [{ field: "url", message: `url ${MESSAGE}` }]);
    await edit({ liveStreamUrl: url });
    const own = await start({});
    const errors = [{ field: "liveStreamUrl", message: `liveStreamUrl ${MESSAGE}` }];
    assert.deepEqual([own.status, saidIn(own.body.errors)], [400, errors]);
    assert.equal(await moderator.do("startStream", {}), "invalid_input");
  }
  for (const url of ["rtmps://live.example.org/app/key", "rtmp://8.8.8.8/app/key"]) {
    assert.equal((await start({ url })).status, 200);
    assert.equal((await tenant.ask("stopStream", { roomId: "r" })).status, 200);
  }
  await moderator.do("leave", {});
});

test("a stream starts to addresses that the operator allows, and to no others inside the network", async (t) => {
  const allowing = await startWorld(t, { environment: { ALLOWED_NETWORKS: "10.1.2.0/24" } });
  await addRecorder(allowing.database);
  const { tenant, moderator } = await meet(t, allowing, "rtmp://10.1.2.9/app/key");
  assert.equal((await tenant.ask("startStream", { roomId: "r" })).status, 200);
  await tenant.ask("stopStream", { roomId: "r" });
  const other = await tenant.ask("startStream", { roomId: "r", url: "rtmp://10.1.3.9/app/key" });
  assert.equal(other.status, 400);
  await moderator.do("leave", {});
});

/** Something that listens on loopback. */
const listen = async (t: TestContext) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {}).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections };
};

/** How opening a stream to this address fails. */
const failureOf = async (url: string, isAllowed: () => boolean, module = rtmp): Promise<string> => {
  const target = parseTarget(url, "key") ?? assert.fail(url);
  const dialing = { organizationId: "o1", isAllowed };
  const opening = module.openRtmpPublisher(target, dialing, AbortSignal.timeout(60_000));
  return opening.then(
    () => "none",
    ({ failure }) => failure,
  );
};

test("a name that leads inside the operator's network is not dialed, and is answered like an unknown one", async (t) => {
  const there = await listen(t);
  t.mock.method(promises, "lookup", async (name: string) => {
    if (name === "nothing.test")
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return [
      { address: "8.8.8.8", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  for (const scheme of ["rtmp", "rtmps"]) {
    const failures = ["inside.test", "nothing.test"].map((host) =>
      failureOf(`${scheme}://${host}:${there.port}/app`, () => false),
    );
    assert.deepEqual(await Promise.all(failures), ["unreachable", "unreachable"]);
  }
  assert.equal(there.connections(), 0);
});

/** Dials a name that means another address once it was looked up. @returns whether the checked one is dialed */
const dialsChecked = async (t: TestContext, twin?: Twin): Promise<boolean> => {
  const there = await listen(t);
  const module = twin ? await importFrom<typeof rtmp>(twin, "live/rtmp.ts") : rtmp;
  // Connecting by name resolves it here; the check resolves it elsewhere (node:dns/promises).
  const { lookup } = dns;
  t.mock.method(dns, "lookup", ((name: string, options: object, done: (e: Error) => void) =>
    name === "localhost"
      ? done(new Error("another answer"))
      : lookup(name, options, done as never)) as typeof lookup);
  await failureOf(`rtmp://localhost:${there.port}/app`, () => true, module);
  return there.connections() === 1;
};

test("the receiver's address that was checked is the one that is dialed", async (t) => {
  assert.equal(await dialsChecked(t), true);
});

testTwin("a twin that looks up the receiver's name a second time is detected", async (t) => {
  assert.equal(await dialsChecked(t, resolvesAgain), false);
});

const MOST_PINGED = 16 * 1024 * 1024;

/** A receiver that pings without end, and reads nothing. @returns how much of it was taken */
const ping = async (t: TestContext): Promise<{ port: number; taken: Promise<number> }> => {
  const { promise: taken, resolve } = Promise.withResolvers<number>();
  // A ping (7.1.7): its header, the event 6, and a time.
  const ping = Buffer.from("020000000000060400000000000600000000", "hex");
  const pings = Buffer.concat(Array.from({ length: 4_000 }, () => ping));
  const server = createServer((socket) => {
    socket.pause();
    socket.on("error", () => {}).once("close", () => resolve(socket.bytesWritten));
    socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * 1536)]));
    const write = (): void => {
      while (socket.bytesWritten < MOST_PINGED && socket.write(pings));
      if (socket.bytesWritten >= MOST_PINGED) socket.destroy();
    };
    socket.on("drain", write);
    write();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, taken };
};

test("a receiver that sends endlessly is disconnected, whatever it sends", async (t) => {
  const { port, taken } = await ping(t);
  assert.equal(await failureOf(`rtmp://127.0.0.1:${port}/app`, () => true), "refused");
  assert.ok((await taken) < MOST_PINGED, "everything was taken");
});
