// Runs: sqlite, alone, complete, waits
// Needs: media-engine

import assert from "node:assert/strict";
import { test } from "node:test";
import { type RemoteParticipant, type Room, RoomEvent } from "@livekit/rtc-node";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { begin, startEngineOfFile } from "./engine.ts";
import { connectSdk, publishTone } from "./sdk.ts";

const { skip, engine } = await startEngineOfFile();
const world = engine && (await startWorld(test, { environment: engine.environment }));

/** The people whose sound a client receives now. */
const heardBy = (room: Room): ReadonlySet<string> => {
  const heard = new Set<string>();
  room
    .on(RoomEvent.TrackSubscribed, (_track, _publication, { identity }: RemoteParticipant) =>
      heard.add(identity),
    )
    .on(RoomEvent.TrackUnsubscribed, (_track, _publication, { identity }: RemoteParticipant) =>
      heard.delete(identity),
    );
  return heard;
};

test(
  "LiveKit's client for Node hears people whom participantPrivacy no longer hides, without a new connection",
  skip,
  async (t) => {
    const { url, code, guest, edit } = await begin(world, { participantPrivacy: true });
    // One with a meeting socket, one with nothing but the connection to the engine.
    const ann = await guest(t, "Ann");
    const { body: bob } = (await world?.open("joinRoom", { roomId: code, peerName: "Bob" })) ?? {};
    const [anns, bobs] = [
      await connectSdk(t, url, ann.ticket),
      await connectSdk(t, url, bob.ticket),
    ];
    const [hears, isHeard] = [heardBy(bobs), heardBy(anns)];
    await publishTone(anns, 440);
    await publishTone(bobs, 880);
    assert.deepEqual([bobs.remoteParticipants.size, anns.remoteParticipants.size], [0, 0]);
    assert.equal((await edit({ participantPrivacy: false })).status, 200);
    await until("both hear", () => hears.has(ann.peerId) && isHeard.has(bob.peer.peerId));
  },
);
