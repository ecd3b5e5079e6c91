/*
 * A meeting in a page of your own, with livekit-client and no part of Parley's page. CORS_ORIGINS names the origin
 * of this page. Its server makes the invitation (createSessionToken), and gives it to the page behind the #:
 *
 *     meeting.html#url=https://meet.example.org&room=ROOM-ID&invitation=SESSION-TOKEN
 */
import { Room, RoomEvent } from "livekit-client";

const {
  url,
  room: roomId,
  invitation,
} = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const element = (id) => document.getElementById(id);
const say = (text) => {
  element("state").textContent = text;
};

// 1. Take a seat.
const answer = await fetch(`${url}/api/meeting/joinRoom`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ roomId, sessionToken: invitation }),
});
const joined = await answer.json();
if (!answer.ok) {
  say(joined.message);
  throw new Error(joined.code);
}
const { ticket } = joined;

// 2. The meeting socket has the names, what is on, the chat, and what this person may do.
const peers = new Map();
const media = new Room({ adaptiveStream: true, dynacast: true });
const show = () => {
  element("people").replaceChildren(
    ...[...peers.values()].map(({ peerId, peerName, audio }) => {
      const item = document.createElement("li");
      item.textContent = `${peerName}${audio ? "" : " (muted)"}`;
      const participant = media.remoteParticipants.get(peerId);
      for (const { track } of participant?.trackPublications.values() ?? []) {
        if (track) item.append(track.attachedElements[0] ?? track.attach());
      }
      return item;
    }),
  );
};
const write = ({ peerName, text }) => {
  const item = document.createElement("li");
  item.textContent = `${peerName}: ${text}`;
  element("chat").append(item);
};
let commands = 0;
let socket;
const send = (name, input = {}) => {
  commands += 1;
  socket.send(JSON.stringify({ id: commands, do: name, ...input }));
};
let isOver = false;
const take = (message) => {
  if (message.type === "welcome") {
    say(`Inside as ${message.you.peerName}`);
    peers.clear();
    element("chat").replaceChildren();
    element("microphone").disabled = !message.allowed.audio;
    for (const one of message.chat) write(one);
    if (media.state === "disconnected") void media.connect(message.media.url, ticket);
  }
  if (message.type === "lobby") say("Somebody will let you in");
  if (message.type === "changed" && message.allowed) {
    element("microphone").disabled = !message.allowed.audio;
  }
  if (message.type === "welcome" || message.type === "peers") {
    for (const peer of message.changed ?? message.peers) peers.set(peer.peerId, peer);
    for (const peerId of message.gone ?? []) peers.delete(peerId);
    show();
  }
  if (message.type === "chat") for (const one of message.messages) write(one);
  // A moderator has ended it: the engine has already, and the person may turn it on again.
  if (message.type === "muted") void media.localParticipant.setMicrophoneEnabled(false);
  if (message.type === "ended") {
    isOver = true;
    say(message.message);
    void media.disconnect();
  }
};
const open = () => {
  socket = new WebSocket(new URL(joined.socket, url.replace(/^http/, "ws")));
  socket.onopen = () => socket.send(JSON.stringify({ ticket }));
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  // The seat is kept for 25 seconds: the same ticket opens it again.
  socket.onclose = () => isOver || setTimeout(open, 1_000);
};
open();

// 3. The media engine: a participant's identity is the peerId; it has no names.
media.on(RoomEvent.TrackSubscribed, show).on(RoomEvent.TrackUnsubscribed, (track) => {
  for (const shown of track.detach()) shown.remove();
});
element("microphone").onclick = async () => {
  const isOn = media.localParticipant.isMicrophoneEnabled;
  await media.localParticipant.setMicrophoneEnabled(!isOn);
  element("microphone").textContent = `Turn the microphone ${isOn ? "on" : "off"}`;
};
element("leave").onclick = () => send("leave");
element("write").onsubmit = (event) => {
  event.preventDefault();
  send("chat", { text: new FormData(event.target).get("text") });
  event.target.reset();
};
