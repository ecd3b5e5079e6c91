// Runs: sqlite, waits
// Needs: media-engine

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { begin, connectMedia, startEngineOfFile } from "./engine.ts";
import type { Somebody } from "./inside.ts";
import { invite } from "./invited.ts";
import { connectSdk, publishTone } from "./sdk.ts";

const { skip, engine } = await startEngineOfFile();
const world = engine && (await startWorld(test, { environment: engine.environment }));

const TONE = 440;

const audioOf = ({ view }: Somebody, { peerId }: Somebody): boolean | undefined =>
  view?.peers.find((peer) => peer.peerId === peerId)?.audio;

test(
  "a device that a client publishes is on, without a message on the meeting socket",
  skip,
  async (t) => {
    const { url, guest, moderator, tenant } = await begin(world);
    const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
    const listed = async () => {
      const { peers } = (await tenant.ask("getMeeting", { roomId: "r" })).body.meeting;
      return peers.find((one: { readonly peerId: string }) => one.peerId === ann.peerId)?.audio;
    };
    const room = await connectSdk(t, url, ann.ticket);
    assert.equal(audioOf(mod, ann), false);
    const sid = await publishTone(room, TONE);
    await until("it is on", () => audioOf(mod, ann) === true);
    assert.equal(await listed(), true);
    await room.localParticipant?.unpublishTrack(sid);
    await until("it is gone", () => audioOf(mod, ann) === false);
    assert.equal(await listed(), false);
  },
);

test("a report is a hint, and the engine's word holds", skip, async (t) => {
  const { url, guest, moderator } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const room = await connectSdk(t, url, ann.ticket);
  const nothing = { audio: false, video: false, share: false };
  assert.equal(await ann.do("media", { ...nothing, audio: true }), "ok");
  await until("her client says so", () => audioOf(mod, ann) === true);
  await until("nothing has come of it", () => audioOf(mod, ann) === false);
  await publishTone(room, TONE);
  await until("it is on", () => audioOf(mod, ann) === true);
  assert.equal(await ann.do("media", nothing), "ok");
  await until("her client says otherwise", () => audioOf(mod, ann) === false);
  await until("it is on all the same", () => audioOf(mod, ann) === true);
  await room.disconnect();
  await until("she has left the engine", () => audioOf(mod, ann) === false);
  assert.equal(mod.view?.peers.length, 1, "she is still inside");
});

test("a moderator mutes a device that was never reported", skip, async (t) => {
  const { url, guest, moderator } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const witness = await connectMedia(url, mod.ticket);
  const publishes = () =>
    witness.messages
      .flatMap((message) => (message.case === "update" ? message.value.participants : []))
      .findLast(({ identity }) => identity === ann.peerId)?.tracks.length;
  const room = await connectSdk(t, url, ann.ticket);
  await publishTone(room, TONE);
  await until("it is on", () => audioOf(mod, ann) === true);
  assert.equal(await mod.do("mutePeer", { peerId: ann.peerId, type: "audio" }), "ok");
  await until("the engine has ended it", () => publishes() === 0);
  assert.equal(audioOf(mod, ann), false);
});

test("a second device with LiveKit's client sends no sound", skip, async (t) => {
  const { url, tenant, moderator } = await begin(world);
  const mod = await moderator(t);
  const connect = async () => {
    const sessionToken = await invite(tenant, "r", "Ann");
    const asked = { roomId: "r", sessionToken, secondDevice: true };
    const { status, body } = await tenant.ask("joinRoom", asked);
    assert.equal(status, 200, JSON.stringify(body));
    return { ...body.peer, room: await connectSdk(t, url, body.ticket) };
  };
  const [laptop, phone] = [await connect(), await connect()];
  assert.deepEqual([laptop.secondDevice, phone.secondDevice], [undefined, true]);
  await publishTone(laptop.room, TONE);
  await assert.rejects(publishTone(phone.room, TONE));
  await until("the first is heard", () => audioOf(mod, laptop) === true);
  assert.equal(audioOf(mod, phone), false);
});
