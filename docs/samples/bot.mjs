/*
 * A bot with LiveKit's SDK for Node: it enters a meeting by an invitation, listens, speaks, and writes in the chat.
 *
 *     npm install @livekit/rtc-node
 *     node bot.mjs https://meet.example.org ROOM-ID SESSION-TOKEN
 *
 * Node 22 or later, because of its WebSocket.
 */
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  dispose,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from "@livekit/rtc-node";

if (globalThis.WebSocket === undefined) throw new Error("This bot needs Node 22 or later.");
const [url, roomId, sessionToken] = process.argv.slice(2);
const RATE = 48_000;

// 1. Take a seat. The invitation has the bot's name and role.
const answer = await fetch(`${url}/api/meeting/joinRoom`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ roomId, sessionToken }),
});
const joined = await answer.json();
if (!answer.ok) throw new Error(`${joined.code}: ${joined.message}`);
const { ticket } = joined;

// 2. Open the meeting socket: who is inside under which name, the chat, and the end.
const names = new Map();
const inside = Promise.withResolvers();
const over = Promise.withResolvers();
let commands = 0;
let socket;
const send = (name, input = {}) => {
  commands += 1;
  socket.send(JSON.stringify({ id: commands, do: name, ...input }));
};
const take = (message) => {
  switch (message.type) {
    case "welcome":
      for (const { peerId, peerName } of message.peers) names.set(peerId, peerName);
      inside.resolve(message);
      break;
    case "peers":
      for (const { peerId, peerName } of message.changed) names.set(peerId, peerName);
      break;
    case "chat":
      for (const { peerId, peerName, text } of message.messages) {
        if (peerId === joined.peer.peerId) continue;
        console.log(`${peerName} writes: ${text}`);
        if (text === "bye") over.resolve("asked to leave");
      }
      break;
    case "reply":
      if (!message.ok) console.log(`refused: ${message.code}`);
      break;
    case "ended":
      over.resolve(message.message);
      break;
  }
};
let isOver = false;
const connect = () => {
  socket = new WebSocket(new URL(joined.socket, url.replace(/^http/, "ws")));
  socket.onopen = () => socket.send(JSON.stringify({ ticket }));
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  // The seat is kept for 25 seconds: the same ticket opens it again.
  socket.onclose = () => isOver || setTimeout(connect, 1_000);
};
connect();
const { allowed, media, you } = await inside.promise;
console.log(`inside as ${you.peerName}`);
if (media.type !== "livekit") throw new Error("Browsers connect directly: no bot can take part.");

// 3. Connect to the media engine with the same ticket. A participant's identity is the peerId.
const room = new Room();
const isLoud = ({ data }) => data.some((sample) => Math.abs(sample) > 1_000);
room.on(RoomEvent.TrackSubscribed, async (track, _publication, { identity }) => {
  if (track.kind !== TrackKind.KIND_AUDIO) return;
  for await (const frame of new AudioStream(track, RATE, 1)) {
    if (!isLoud(frame)) continue;
    console.log(`hears ${names.get(identity) ?? identity}`);
    break;
  }
});
await room.connect(media.url, ticket, { autoSubscribe: true, dynacast: false });

// 4. Speak: a tone, where the room lets the bot's role have a microphone. The source must be named.
const speak = async () => {
  const source = new AudioSource(RATE, 1);
  const track = LocalAudioTrack.createAudioTrack("microphone", source);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await room.localParticipant.publishTrack(track, options);
  const samples = Int16Array.from(
    { length: RATE },
    (_, at) => 9_000 * Math.sin((2 * Math.PI * 440 * at) / RATE),
  );
  while (!isOver) await source.captureFrame(new AudioFrame(samples, RATE, 1, RATE));
};
const speaking = allowed.audio ? speak() : undefined;
speaking?.catch((error) => isOver || over.reject(error));

// 5. Write in the chat.
if (allowed.chat) send("chat", { text: "Hello, I am a bot." });

process.once("SIGTERM", () => over.resolve("stopped"));
process.once("SIGINT", () => over.resolve("stopped"));
console.log(`leaves: ${await over.promise}`);
isOver = true;
if (socket.readyState === WebSocket.OPEN) send("leave");
await room.disconnect();
await dispose();
process.exit();
