// Runs: sqlite, pictures, complete, unsteady
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { noEngine } from "../run/engine.ts";
import { startWay, type Way } from "../world/dead-network.ts";
import { soaking } from "../world/seed.ts";
import { startEngine } from "./engine.ts";
import { withEngine } from "./engine-found.ts";
import { isInside, leaveAll, startMeetings } from "./people.ts";

const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));

/** The engine's client gives up after ten seconds without an answer. */
const GIVEN_UP = 12_000;

/** Sends a request through the dead network for this many milliseconds, and gets no answer. */
const staysDead = ({ url }: Way, ms: number): Promise<void> =>
  assert.rejects(fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ms) }), {
    name: "TimeoutError",
  });

test("a camera turned on while the network is dead is seen once it is back", {
  skip: noEngine,
}, async (t) => {
  const { service, room, enter } = await withEngine(meetings);
  const { path } = await room();
  const way = await startWay(t, service.url);
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(`${way.url}${path}`, "Ben");
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
  await ben.button("Turn the camera off").click();
  await ada.receivesOnly({ video: 0, audio: 1 });

  way.die();
  await ben.button("Turn the camera on").click();
  await staysDead(way, GIVEN_UP);
  way.live();
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));

  // As after a click on a mail address: the page stays.
  await ben.page.evaluate(`dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
  await leaveAll(ada, ben);
});

test("people see and hear each other again after one had no network for a while, right after entering or later", {
  skip: noEngine || (!soaking && "takes minutes: in the long run only"),
}, async (t) => {
  const { service, room, enter } = await withEngine(meetings);
  for (const [pause, seconds] of [
    [0, 3],
    [0, 10],
    [5, 10],
  ] as const) {
    const { path } = await room();
    const way = await startWay(t, service.url);
    const ada = await enter(path, "Ada", { asAdministrator: true });
    await isInside(ada);
    const ben = await enter(`${way.url}${path}`, "Ben");
    await isInside(ben);
    // Right after entering, or when the connection has settled.
    await sleep(pause * 1000);
    way.die();
    await staysDead(way, seconds * 1000);
    way.live();
    const lived = performance.now();
    await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
    const took = Math.round(performance.now() - lived);
    t.diagnostic(`${seconds} s, ${pause} s after entering: all is back after ${took} ms`);
    await leaveAll(ada, ben);
  }
});

/** A browser that cannot send a camera, and can send anything else. */
const NO_CAMERA_SENT = `{
  const add = RTCPeerConnection.prototype.addTransceiver;
  RTCPeerConnection.prototype.addTransceiver = function (what, ...more) {
    if (what.kind === "video") throw new Error("No encoder for this camera.");
    return add.call(this, what, ...more);
  };
}`;

test("a camera that no connection can send is turned off with a notice, and the microphone stays on", {
  skip: noEngine,
}, async () => {
  const { room, enter } = await withEngine(meetings);
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben", { script: NO_CAMERA_SENT });
  await ben.button("Turn the camera on").waitFor();
  await ben.page.getByText("The others cannot see you: sending video failed.").waitFor();
  await ada.receivesOnly({ video: 0, audio: 1 });
  await ben.receivesOnly({ video: 1, audio: 1 });
  await leaveAll(ada, ben);
});
