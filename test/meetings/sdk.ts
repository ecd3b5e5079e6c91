import assert from "node:assert/strict";
import {
  AudioFrame,
  AudioSource,
  dispose,
  LocalAudioTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
} from "@livekit/rtc-node";
import { afterAllFiles } from "../run/shared.ts";
import type { Scope } from "../world/empty-database.ts";

const RATE = 48_000;

// Once: after it, no file of this process can use the client.
afterAllFiles(() => dispose());

/** Ends the tone of each client. */
const silencing = new WeakMap<Room, () => Promise<void>>();

/** Disconnects a client after its tone: with a frame on its way, it may never end. */
export const disconnectSdk = async (room: Room): Promise<void> => {
  await silencing.get(room)?.();
  await room.disconnect();
};

/** Connects LiveKit's client for Node, which knows nothing of the meeting socket. */
export const connectSdk = async (t: Scope, url: string, ticket: string): Promise<Room> => {
  const room = new Room();
  await room.connect(`${url}/api/meeting`, ticket, { autoSubscribe: true, dynacast: false });
  t.after(() => disconnectSdk(room));
  return room;
};

/**
 * Publishes a microphone that gives one tone until its client disconnects.
 *
 * @param tone in hertz
 * @returns the ID of its track
 */
export const publishTone = async (room: Room, tone: number): Promise<string> => {
  const source = new AudioSource(RATE, 1);
  const track = LocalAudioTrack.createAudioTrack("microphone", source);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  const publication = await room.localParticipant?.publishTrack(track, options);
  assert.ok(publication?.sid);
  const second = Int16Array.from(
    { length: RATE },
    (_, at) => 9000 * Math.sin((2 * Math.PI * tone * at) / RATE),
  );
  let isOver = false;
  const play = async (): Promise<void> => {
    while (!isOver) await source.captureFrame(new AudioFrame(second, RATE, 1, RATE));
  };
  const playing = play().catch(() => {});
  silencing.set(room, async () => {
    isOver = true;
    await playing;
  });
  return publication.sid;
};
