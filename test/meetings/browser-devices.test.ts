// Runs: sqlite, pictures, complete
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { startEngineOfFile } from "./engine.ts";
import { engineFound } from "./engine-found.ts";
import { isInside, leaveAll, type Meetings, startMeetings } from "./people.ts";

const { skip, engine } = await startEngineOfFile();
const direct = await startMeetings();
const withEngine = engine && (await startMeetings(engine.environment));

/** A microphone that can fall silent: `globalThis.loudness` is its gain. */
const SILENT_MICROPHONE = `{
  const devices = navigator.mediaDevices;
  const ask = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    const [track] = stream.getAudioTracks();
    if (track === undefined) return stream;
    const context = new AudioContext();
    const tone = context.createOscillator();
    const gain = context.createGain();
    const microphone = context.createMediaStreamDestination();
    tone.connect(gain).connect(microphone);
    tone.start();
    globalThis.loudness = gain.gain;
    return new MediaStream([...microphone.stream.getTracks(), ...stream.getVideoTracks()]);
  };
}`;

const fallSilent = async (
  { service, enter }: Meetings,
  path: string,
  roomId: string,
): Promise<void> => {
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben", { script: SILENT_MICROPHONE });
  await Promise.all([isInside(ada), isInside(ben)]);
  await ada.receivesOnly({ video: 1, audio: 1 });
  const says = (text: string) => ben.page.getByRole("status").filter({ hasText: text });
  const isShown = async (audio: boolean, video: boolean): Promise<void> => {
    await until("the others see it", async () => {
      const { peers } = (await service.client.getMeeting({ roomId })).meeting;
      const seen = peers.find(({ peerName }) => peerName === "Ben");
      return seen?.audio === audio && seen.video === video;
    });
    await ada
      .tile("Ben")
      .getByText("muted")
      .waitFor({ state: audio ? "detached" : "visible" });
    await ada
      .tile("Ben")
      .locator("video")
      .waitFor({ state: video ? "visible" : "detached" });
  };
  await isShown(true, true);
  assert.equal(await says("Nobody").count(), 0);

  await ben.page.evaluate("void (loudness.value = 0)");
  await says("nothing comes from your microphone").waitFor();
  await isShown(false, true);
  await ben.button("Turn the microphone off. Nothing comes from it").waitFor();
  await ben.page.evaluate("void (loudness.value = 1)");
  await says("nothing comes from your microphone").waitFor({ state: "detached" });
  await isShown(true, true);

  // As while a phone call has the devices.
  await ben.page.evaluate(`for (const track of opened)
    Object.defineProperty(track, "muted", { value: true, configurable: true });`);
  await says("nothing comes from your camera").waitFor();
  await isShown(true, false);
  await ben.button(/^OK: Nobody sees you/).click();
  await says("nothing comes from your camera").waitFor({ state: "detached" });
  await ben.page.evaluate("for (const track of opened) delete track.muted;");
  await isShown(true, true);
  await leaveAll(ada, ben);
};

test("the page warns about a microphone or camera that delivers nothing, and shows it to others as off until it delivers", async () => {
  const { path, room } = await direct.room();
  await fallSilent(direct, path, room);
});

test(
  "the page warns in the same way through the engine, which learns that nothing comes",
  skip,
  async () => {
    assert.ok(withEngine);
    const { path, room } = await withEngine.room();
    await engineFound(withEngine.service, room);
    await fallSilent(withEngine, path, room);
  },
);
