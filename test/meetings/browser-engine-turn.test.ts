import assert from "node:assert/strict";
import { test } from "node:test";
import { freeUdpPort } from "../../server/media/ports.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { until } from "../world/process.ts";
import { type Person, startMeetings } from "./people.ts";

/** Only by a relay, as behind a firewall that lets nothing else through. */
const RELAY_ONLY = `globalThis.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(given) { super({ ...given, iceTransportPolicy: "relay" }); }
};`;

const meetings = noEngine
  ? undefined
  : await startMeetings({
      LIVEKIT_SERVER: enginePath,
      MEDIA_ADDRESS: "127.0.0.1",
      MEDIA_UDP: "0",
      MEDIA_TCP: "off",
      TURN: "embedded",
      TURN_PORT: String(await freeUdpPort()),
    });

/** How the browser's connections go: the kinds of both ends of the path in use. */
const waysOf = ({ page }: Person) =>
  page.evaluate<
    string[]
  >(`Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
    all.flatMap((stats) => [...stats.values()]
      .filter(({ type, nominated, state }) => type === "candidate-pair" && nominated && state === "succeeded")
      .map((pair) => stats.get(pair.localCandidateId).candidateType + " " + stats.get(pair.remoteCandidateId).candidateType)))`);

test("two people whom only a relay connects meet by LiveKit's own TURN server", {
  skip: noEngine,
}, async () => {
  assert.ok(meetings);
  const { house, room, enter } = meetings;
  const { path } = await room({ roomType: "p2p" });
  // A room that needs the engine tells when it is there.
  const { room: roomId } = await room();
  await until("the engine is ready", () =>
    house.client.joinRoom({ roomId, peerName: "Early" }).then(
      () => true,
      () => false,
    ),
  );
  const ada = await enter(path, "Ada", { asAdministrator: true, script: RELAY_ONLY });
  const ben = await enter(path, "Ben", { script: RELAY_ONLY });
  const none = { frames: 0, energy: 0 };
  await Promise.all(
    [ada, ben].map((one) => one.receivesMore(none, { frames: 10, energy: 0.0001 })),
  );
  for (const one of [ada, ben]) assert.deepEqual(await waysOf(one), ["relay relay"]);
  await Promise.all([ada, ben].map(({ context }) => context.close()));
});
