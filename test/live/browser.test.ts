import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RATE, wavOf } from "../../server/transcription/segments.ts";
import { type Meetings, type Person, startMeetings } from "../meetings/people.ts";
import { withoutReceiver, withoutSpeech } from "../run/programs.ts";
import { samplesOf, startSpeechService } from "../transcription/speech.ts";
import { until } from "../world/process.ts";
import { argumentsOfChildren, probe, startReceiver } from "./receiver.ts";

/*
 * One meeting of two people in a browser, captured for a live stream and for a transcription by a real
 * hidden browser; watched in a browser, received by a real receiver, understood by a real speech engine.
 */

const skip = { skip: withoutReceiver() || withoutSpeech() };
const KEY = "sentinel-7b3e-stream-key";
const SPEECH_KEY = "sentinel-speech-key";

/** A microphone that says something again and again. Runs in the page. */
const microphone = (wav: Buffer): string => `(() => {
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const wav = Uint8Array.from(atob("${wav.toString("base64")}"), (c) => c.charCodeAt(0)).buffer;
  let said;
  const sound = async () => {
    const context = new AudioContext();
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(wav.slice(0));
    source.loop = true;
    const destination = context.createMediaStreamDestination();
    source.connect(destination);
    source.start();
    return destination.stream;
  };
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    if (!wanted.audio) return real(wanted);
    said ??= sound();
    const track = (await said).getAudioTracks()[0].clone();
    const stream = wanted.video ? await real({ video: wanted.video }) : new MediaStream();
    stream.addTrack(track);
    return stream;
  };
})()`;

const saying = async (text: string): Promise<string> => {
  const speech = await samplesOf(text);
  const samples = new Int16Array(speech.length + 2 * RATE);
  samples.set(speech, RATE);
  return microphone(wavOf({ samples }));
};

const begin = async (): Promise<Meetings> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-live-test-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const { url } = await startSpeechService({ after }, folder, SPEECH_KEY);
  return startMeetings({ PATH: process.env.PATH ?? "", SPEECH_URL: url, SPEECH_KEY });
};

const choose = async (person: Person, item: string): Promise<void> => {
  await person.button("More").click();
  await person.page.getByRole("menuitem", { name: item }).click();
};

/** How green the picture is that somebody watches: the cameras of these browsers are. */
const GREEN = `(() => {
  const video = document.querySelector("main video");
  const canvas = Object.assign(document.createElement("canvas"), { width: 32, height: 18 });
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0, 32, 18);
  const { data } = context.getImageData(0, 0, 32, 18);
  let sum = 0;
  for (let n = 0; n < data.length; n += 4) sum += data[n + 1] - (data[n] + data[n + 2]) / 2;
  return sum / (32 * 18);
})()`;

test(
  "a meeting is streamed to viewers without seats and to a receiver, and what is said is read",
  skip,
  async (t) => {
    const meetings = await begin();
    const receiver = await startReceiver(t, KEY);
    const { client } = meetings.house;
    const { room, path } = await meetings.room({
      ...{ noOfModerators: 1, noOfParticipants: 1, noOfViewers: 0 },
      ...{ enableLiveStreaming: true, enableTranscription: true },
    });
    const ada = await meetings.enter(path, "Ada", {
      asAdministrator: true,
      script: await saying("hello world"),
    });
    await ada.button("Leave").waitFor();
    const ben = await meetings.enter(path, "Ben", { script: await saying("meeting") });
    await ben.button("Leave").waitFor();

    await choose(ada, "Stream live");
    await ben.page.getByText("Live", { exact: true }).waitFor();
    // The room is full: the page offers to watch.
    const cleo = await meetings.enter(path, "Cleo");
    await cleo.page.getByText("All seats of this role are taken.").waitFor();
    await cleo.button("Watch the live stream").click();
    await cleo.page.getByText("You are watching some ten seconds behind").waitFor();
    const moving = async () =>
      cleo.page.evaluate<number>("document.querySelector('video').currentTime");
    const first = await moving();
    await until("the stream plays on", async () => (await moving()) > first + 3);
    const green = () => cleo.page.evaluate<number>(GREEN);
    await until("the cameras are in the picture", async () => (await green()) > 10);
    assert.equal(new URL(cleo.page.url()).search + new URL(cleo.page.url()).hash, "");

    // How far behind: both cameras go off, until the picture has changed for who watches.
    const before = await green();
    const off = performance.now();
    await Promise.all([ada, ben].map((one) => one.button("Turn the camera off").click()));
    await until("the cameras are gone from the picture", async () => (await green()) < before / 3);
    t.diagnostic(`viewers are ${((performance.now() - off) / 1000).toFixed(1)} s behind`);
    await choose(ada, "End the live stream");
    await cleo.page.getByText("There is no live stream to watch in this room.").waitFor();
    await cleo.context.close();

    // To a receiver, with the key of the room; back by itself after it was away.
    await client.editRoom({
      ...{ room, roomOwnerId: meetings.house.adminId, enableRTMPStreaming: true },
      ...{ liveStreamUrl: receiver.url, liveStreamKey: KEY },
    });
    const started = await client.startStream({ roomId: room });
    assert.equal(JSON.stringify(started).includes(KEY), false);
    const arrives = async () => (await receiver.publishing())[0]?.codecs === "H264 AAC";
    await until("the stream arrives", arrives);
    const processes = await argumentsOfChildren();
    assert.ok(processes.some((one) => one.includes("pipe:1")));
    assert.equal(processes.join("\n").includes(KEY), false);
    await until("enough is recorded", async () => {
      const [file] = await receiver.recorded();
      return file !== undefined && (await readFile(file)).length > 100_000;
    });
    // The setting ends it while it runs.
    await client.editRoom({
      ...{ room, roomOwnerId: meetings.house.adminId, enableLiveStreaming: false },
    });
    await until(
      "the receiver sees the end",
      async () => (await receiver.publishing()).length === 0,
    );
    const [file = ""] = await receiver.recorded();
    assert.deepEqual((await probe(file)).codecs, ["aac", "h264"]);

    await choose(ada, "Transcribe what is said");
    const captions = ben.page.getByRole("region", { name: "Captions" });
    await captions
      .getByText(/hello world/)
      .first()
      .waitFor();
    await captions
      .getByText(/meeting/)
      .first()
      .waitFor();
    const { meetingId } = (await client.getMeeting({ roomId: room })).meeting;
    assert.ok(meetingId);
    const { transcript } = await client.getTranscript({ meetingId });
    const wordsOf = (name: string) =>
      transcript.spoken.filter(({ peerName }) => peerName === name).map(({ text }) => text);
    assert.ok(
      wordsOf("Ada").some((text) => text === "hello world"),
      JSON.stringify(transcript.spoken),
    );
    assert.ok(
      wordsOf("Ben").some((text) => text === "meeting"),
      JSON.stringify(transcript.spoken),
    );
    assert.equal(wordsOf("Ben").join(" ").includes("world"), false);
    await client.editRoom({
      ...{ room, roomOwnerId: meetings.house.adminId, enableTranscription: false },
    });
    await ben.page.getByText("Transcribed", { exact: true }).waitFor({ state: "detached" });
    await Promise.all([ada, ben].map(({ context }) => context.close()));
  },
);
