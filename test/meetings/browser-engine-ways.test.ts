// Runs: sqlite, pictures, complete
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { press } from "../console/visit.ts";
import { noEngine } from "../run/engine.ts";
import { startEngine } from "./engine.ts";
import { withEngine } from "./engine-found.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));

/** A browser between which and the engine no media pass, until `globalThis.passes`. */
const NO_MEDIA = `{
  const Connection = globalThis.RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Connection {
    constructor(given, ...more) {
      super(globalThis.passes ? given : { ...given, iceTransportPolicy: "relay" }, ...more);
    }
    setConfiguration(given) {
      super.setConfiguration(globalThis.passes ? given : { ...given, iceTransportPolicy: "relay" });
    }
  };
}`;

const BREAK = `{
  globalThis.broken = connections.filter((pc) => pc.connectionState === "connected");
  for (const pc of broken)
    Object.defineProperty(pc, "connectionState", { value: "disconnected", configurable: true });
}`;

test("people whose media do not come through the engine read so, as do the others, in the words of direct meetings, until they come", {
  skip: noEngine,
}, async () => {
  const { room, enter } = await withEngine(meetings);
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben", { script: NO_MEDIA });
  await Promise.all([isInside(ada), isInside(ben)]);
  const banner = ({ page }: Person, text: string) =>
    page
      .getByRole("alert")
      .filter({ hasText: `Nobody sees or hears you` })
      .filter({ hasText: text });
  const slow = "No connection yet.";
  const broken = "Trying to reconnect";
  await banner(ben, slow).waitFor();
  await ada.tile("Ben").getByText(slow).waitFor();
  await press(ada.page, "p");
  await ada.page.getByRole("img", { name: "no video and sound" }).waitFor();
  await ben.page.evaluate("globalThis.passes = true");
  await banner(ben, slow).waitFor({ state: "detached" });
  await ada.tile("Ben").getByText(slow).waitFor({ state: "detached" });
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));

  await ben.page.evaluate(BREAK);
  await banner(ben, broken).waitFor();
  await ben.tile("Ada").getByText(broken).waitFor();
  await ben.page.evaluate("for (const pc of broken) delete pc.connectionState;");
  await banner(ben, broken).waitFor({ state: "detached" });
  await ben.tile("Ada").getByText(broken).waitFor({ state: "detached" });
  await leaveAll(ada, ben);
});

/** A connection that answers late, as its browser measures it. */
const LATE = `{
  const getStats = RTCPeerConnection.prototype.getStats;
  RTCPeerConnection.prototype.getStats = async function (...given) {
    const stats = new Map(await getStats.apply(this, given));
    for (const [id, one] of stats)
      if (one.type === "candidate-pair") stats.set(id, { ...one, currentRoundTripTime: 0.9 });
    return stats;
  };
}`;

test("viewers of an event do not count as people without media; a late connection is named to its person, with a remedy, and shown to the others", {
  skip: noEngine,
}, async () => {
  const { room, enter, open, service } = await withEngine(meetings);
  const { path, room: roomId } = await room({ roomType: "event" });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  const vic = await enter(path, "Vic", { script: `${NO_DEVICES};${LATE}` });
  await isInside(vic);
  await vic.receivesMore({ frames: 0, energy: 0 });
  await vic.page.getByText(/Your connection is slow, so others hear you late/).waitFor();
  await press(ada.page, "p");
  const line = (name: string) =>
    ada.page.getByRole("complementary").getByRole("listitem").filter({ hasText: name });
  await line("Vic").getByRole("img", { name: "poor connection" }).waitFor();

  // Somebody who takes part comes later, and no media pass: this is known at the latest then.
  const { accessKey, secretAccessKey } = (await service.client.createAccessKey()).accessKey;
  const asked = { roomId, peerName: "Ben", peerId: "ben", peerType: "participant" } as const;
  const { sessionToken } = await service.client.createSessionToken({
    accessKey,
    secretAccessKey,
    ...asked,
  });
  const ben = await open(`${path}#${sessionToken}`, { script: NO_MEDIA });
  await ben.button(/^Join$/).click();
  await isInside(ben);
  const unconnected = { name: "no video and sound" };
  await line("Ben").getByRole("img", unconnected).waitFor();
  assert.equal(await line("Vic").getByRole("img", unconnected).count(), 0);
  await leaveAll(ada, ben, vic);
});
