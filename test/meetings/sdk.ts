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
import { until } from "../world/process.ts";

const RATE = 48_000;

// Once: after it, no file of this process can use the client.
afterAllFiles(() => dispose());

/** Waits for the client, whose calls on a busy machine now and then never end. */
const ends = async <T>(what: string, call: Promise<T>): Promise<T> => {
  let isOver = false;
  const done = () => {
    isOver = true;
  };
  call.then(done, done);
  await until(what, () => isOver);
  return await call;
};

/** Connects LiveKit's client for Node, which knows nothing of the meeting socket. */
export const connectSdk = async (t: Scope, url: string, ticket: string): Promise<Room> => {
  const room = new Room();
  const options = { autoSubscribe: true, dynacast: false };
  await ends("it connects", room.connect(`${url}/api/meeting`, ticket, options));
  t.after(() => ends("it disconnects", room.disconnect()));
  return room;
};

/**
 * Publishes a microphone that gives one tone until the end.
 *
 * @param tone in hertz
 * @returns the ID of its track
 */
export const publishTone = async (t: Scope, room: Room, tone: number): Promise<string> => {
  const source = new AudioSource(RATE, 1);
  const track = LocalAudioTrack.createAudioTrack("microphone", source);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  const publication = await ends(
    "it publishes",
    room.localParticipant?.publishTrack(track, options) ?? Promise.resolve(undefined),
  );
  assert.ok(publication?.sid);
  const second = Int16Array.from(
    { length: RATE },
    (_, at) => 9000 * Math.sin((2 * Math.PI * tone * at) / RATE),
  );
  let isOver = false;
  const play = async (): Promise<void> => {
    while (!isOver) await source.captureFrame(new AudioFrame(second, RATE, 1, RATE));
  };
  play().catch(() => {});
  // Nothing waits for the last frame: a client that has disconnected may never take it.
  t.after(() => {
    isOver = true;
  });
  return publication.sid;
};
