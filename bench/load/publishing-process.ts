// People who publish a small moving picture, and people who receive all of them, with real media and no
// browser. Started by publishing.ts; reports when all pictures flow, and its counts when asked to end.
import {
  dispose,
  LocalVideoTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
  VideoStream,
} from "@livekit/rtc-node";
import type { Message, Received } from "./publishing.ts";

const WIDTH = 320;
const HEIGHT = 180;
const PER_SECOND = 10;

const [url = "", publishers = "[]", receivers = "[]"] = process.argv.slice(2);

/** A gray picture with a moving stripe. */
const pictureAt = (number: number): VideoFrame => {
  const data = new Uint8Array((WIDTH * HEIGHT * 3) / 2).fill(128);
  for (let row = 0; row < HEIGHT; row += 1) {
    const from = row * WIDTH + ((number * 8) % (WIDTH - 16));
    data.fill(220, from, from + 16);
  }
  return new VideoFrame(data, WIDTH, HEIGHT, VideoBufferType.I420);
};

const sources: VideoSource[] = [];
let sent = 0;
let pictures = 0;

const publish = async (ticket: string): Promise<Room> => {
  const room = new Room();
  await room.connect(url, ticket, { autoSubscribe: false, dynacast: false });
  const source = new VideoSource(WIDTH, HEIGHT);
  const track = LocalVideoTrack.createVideoTrack("camera", source);
  const options = new TrackPublishOptions({
    source: TrackSource.SOURCE_CAMERA,
    simulcast: false,
  });
  await room.localParticipant?.publishTrack(track, options);
  sources.push(source);
  return room;
};

const seen = new Set<RemoteTrack>();
const count = async (track: RemoteTrack): Promise<void> => {
  for await (const _ of new VideoStream(track)) {
    seen.add(track);
    pictures += 1;
  }
};

const receive = async (ticket: string): Promise<Room> => {
  const room = new Room();
  room.on(RoomEvent.TrackSubscribed, (track) => void count(track));
  await room.connect(url, ticket, { autoSubscribe: true, dynacast: false });
  return room;
};

const send = (message: Message) => process.send?.(message);
const wanted: readonly string[] = JSON.parse(publishers);
const rooms: Room[] = [];
for (const ticket of wanted) rooms.push(await publish(ticket));
const sending = setInterval(() => {
  sent += 1;
  const picture = pictureAt(sent);
  for (const source of sources) source.captureFrame(picture);
}, 1000 / PER_SECOND);
for (const ticket of JSON.parse(receivers)) rooms.push(await receive(ticket));

process.on("message", async (asked) => {
  if (asked === "count") {
    const found: Received = { tracks: seen.size, sent: sent * wanted.length, pictures };
    send(found);
    return;
  }
  clearInterval(sending);
  await Promise.all(rooms.map((room) => room.disconnect()));
  await dispose();
  process.exit(0);
});
send("ready");
