"""A bot with LiveKit's SDK for Python: enters a meeting by an invitation, listens, speaks, writes in the chat.

    pip install livekit websockets
    python bot.py https://meet.example.org ROOM-ID SESSION-TOKEN
"""

import asyncio
import json
import math
import signal
import sys
import urllib.error
import urllib.request
from array import array

import websockets
from livekit import rtc

RATE = 48_000


def join(url: str, room_id: str, session_token: str) -> dict:
    """Takes a seat. The invitation has the bot's name and role."""
    request = urllib.request.Request(
        f"{url}/api/meeting/joinRoom",
        json.dumps({"roomId": room_id, "sessionToken": session_token}).encode(),
        {"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        failure = json.load(refused)
        raise SystemExit(f"{failure.get('code')}: {failure.get('message')}") from None


class Bot:
    def __init__(self, url: str, joined: dict) -> None:
        self.joined = joined
        self.socket_url = url.replace("http", "ws", 1) + joined["socket"]
        self.names: dict[str, str] = {}
        self.commands = 0
        self.socket = None
        loop = asyncio.get_running_loop()
        self.inside = loop.create_future()
        self.over = loop.create_future()

    def end(self, why: str) -> None:
        if not self.over.done():
            self.over.set_result(why)

    async def send(self, name: str, **given: object) -> None:
        self.commands += 1
        await self.socket.send(json.dumps({"id": self.commands, "do": name, **given}))

    async def follow(self) -> None:
        """The meeting socket: who is inside under which name, the chat, and the end."""
        # Connects again by itself: the seat is kept for 25 seconds, and the same ticket opens it.
        async for self.socket in websockets.connect(self.socket_url):
            try:
                await self.socket.send(json.dumps({"ticket": self.joined["ticket"]}))
                async for text in self.socket:
                    self.take(json.loads(text))
            except websockets.ConnectionClosed:
                pass
            if self.over.done():
                return

    def take(self, message: dict) -> None:
        kind = message["type"]
        if kind in ("welcome", "peers"):
            for peer in message["peers" if kind == "welcome" else "changed"]:
                self.names[peer["peerId"]] = peer["peerName"]
        if kind == "welcome" and not self.inside.done():
            self.inside.set_result(message)
        if kind == "chat":
            for written in message["messages"]:
                if written["peerId"] == self.joined["peer"]["peerId"]:
                    continue
                print(f"{written['peerName']} writes: {written['text']}", flush=True)
                if written["text"] == "bye":
                    self.end("asked to leave")
        if kind == "reply" and not message["ok"]:
            print(f"refused: {message['code']}", flush=True)
        if kind == "ended":
            self.end(message["message"])

    async def listen(self, track: rtc.Track, identity: str) -> None:
        async for event in rtc.AudioStream(track, sample_rate=RATE, num_channels=1):
            if max(map(abs, event.frame.data)) > 1_000:
                print(f"hears {self.names.get(identity, identity)}", flush=True)
                return

    async def speak(self, room: rtc.Room) -> None:
        """A tone. The source must be named."""
        source = rtc.AudioSource(RATE, 1)
        track = rtc.LocalAudioTrack.create_audio_track("microphone", source)
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
        await room.local_participant.publish_track(track, options)
        tone = (9_000 * math.sin(2 * math.pi * 440 * at / RATE) for at in range(RATE))
        samples = array("h", map(int, tone)).tobytes()
        while True:
            await source.capture_frame(rtc.AudioFrame(samples, RATE, 1, RATE))


async def main(url: str, room_id: str, session_token: str) -> None:
    bot = Bot(url, join(url, room_id, session_token))
    tasks = [asyncio.create_task(bot.follow())]
    welcome = await bot.inside
    print(f"inside as {welcome['you']['peerName']}", flush=True)
    if welcome["media"]["type"] != "livekit":
        raise SystemExit("Browsers connect directly: no bot can take part.")

    # The media engine, with the same ticket. A participant's identity is the peerId.
    room = rtc.Room()

    @room.on("track_subscribed")
    def _(track, _publication, participant) -> None:
        if track.kind == rtc.TrackKind.KIND_AUDIO:
            tasks.append(asyncio.create_task(bot.listen(track, participant.identity)))

    await room.connect(welcome["media"]["url"], bot.joined["ticket"])
    if welcome["allowed"]["audio"]:
        tasks.append(asyncio.create_task(bot.speak(room)))
    if welcome["allowed"]["chat"]:
        await bot.send("chat", text="Hello, I am a bot.")

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, bot.end, "stopped")
    print(f"leaves: {await bot.over}", flush=True)
    try:
        await bot.send("leave")
    except websockets.ConnectionClosed:
        pass
    for task in tasks:
        task.cancel()
    await room.disconnect()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
