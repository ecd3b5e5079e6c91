// Runs: sqlite, pictures, complete
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { test } from "node:test";
import { freeUdpPort } from "../../server/media/ports.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { until } from "../world/process.ts";
import { withEngine } from "./engine-found.ts";
import { leaveAll, type Meetings, openMeetings, startMeetings } from "./people.ts";
import { waysOf } from "./ways.ts";

/** Connects only through a relay, as behind a firewall that lets nothing else through. */
const RELAY_ONLY = `globalThis.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(given) { super({ ...given, iceTransportPolicy: "relay" }); }
};`;

const meetings = noEngine
  ? undefined
  : await startMeetings({
      LIVEKIT_SERVER: enginePath,
      MEDIA_ADDRESS: "127.0.0.1",
      MEDIA_UDP: "0",
      MEDIA_TCP: "0",
      TURN: "embedded",
      TURN_PORT: String(await freeUdpPort()),
    });

/** Two people in a new room who see and hear each other, and the paths of their media. */
const meet = async ({ room, enter }: Meetings, settings: object, script = "") => {
  const { path } = await room({ ...settings });
  const ada = await enter(path, "Ada", { asAdministrator: true, script });
  const ben = await enter(path, "Ben", { script });
  const both = [ada, ben];
  const none = { frames: 0, energy: 0 };
  await Promise.all(both.map((one) => one.receivesMore(none, { frames: 10, energy: 0.0001 })));
  let ways: string[][] = [];
  // While a path is checked again, a page has none for a moment, though its media arrives.
  await until("both know their paths", async () => {
    ways = await Promise.all(both.map(waysOf));
    return ways.every(({ length }) => length > 0);
  });
  await leaveAll(...both);
  return ways.flat();
};

test("two people who can connect only through a relay meet over the service's TURN server", {
  skip: noEngine,
}, async () => {
  const ways = await meet(await withEngine(meetings), { roomType: "p2p" }, RELAY_ONLY);
  assert.deepEqual(ways, ["relay relay udp", "relay relay udp"]);
});

test("people whose network blocks UDP meet over LiveKit's TCP port", {
  skip: noEngine,
}, async () => {
  const { service } = await withEngine(meetings);
  // The first is for a Chromium with windows, the second for one without.
  const withoutUdp = ["webrtc-ip-handling-policy", "force-webrtc-ip-handling-policy"].map(
    (name) => `--${name}=disable_non_proxied_udp`,
  );
  const ways = await meet(await openMeetings(service, withoutUdp), {});
  assert.ok(ways.length > 0);
  assert.deepEqual(
    ways.filter((way) => !way.endsWith(" tcp")),
    [],
  );
});
