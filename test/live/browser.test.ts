// Runs: sqlite, pictures, complete
// Needs: browser, ffmpeg, media-engine, nginx, rtmp, speech

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RATE, wavOf } from "../../server/transcription/segments.ts";
import { startEngine } from "../meetings/engine.ts";
import { look } from "../meetings/looks.ts";
import { leaveAll, type Person, startMeetings } from "../meetings/people.ts";
import { noEngine } from "../run/engine.ts";
import { withoutReceiver, withoutSpeech } from "../run/programs.ts";
import { samplesOf, startSpeechService } from "../transcription/speech.ts";
import { until } from "../world/process.ts";
import { argumentsOfChildren, probe, startReceiver } from "./receiver.ts";

/*
 * One meeting of two people in a browser, through the media engine if it is installed, captured for a live
 * stream and for a transcription by real hidden browsers; the stream is watched in a browser and received by
 * a real receiver, and a real speech engine transcribes.
 */

const skip = { skip: withoutReceiver() || withoutSpeech() };
const KEY = "sentinel-7b3e-stream-key";
const SPEECH_KEY = "sentinel-speech-key";

/** A microphone that repeats a sentence. Runs in the page. */
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

const engine = noEngine ? undefined : await startEngine({ after });

const begin = async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-live-test-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const { url, mood } = await startSpeechService({ after }, folder, SPEECH_KEY);
  const meetings = await startMeetings({
    ...engine?.environment,
    PATH: process.env.PATH ?? "",
    ALLOWED_NETWORKS: "loopback",
    RECORDERS: "2",
    SPEECH_URL: url,
    SPEECH_KEY,
  });
  return { meetings, mood };
};

const choose = async (person: Person, item: string): Promise<void> => {
  await person.button("More").click();
  await person.page.getByRole("menuitem", { name: item }).click();
};

/** How green the watched picture is: these browsers have green cameras. */
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
  "a meeting is streamed to viewers without seats and to a receiver, with captions",
  skip,
  async (t) => {
    const { meetings, mood } = await begin();
    const receiver = await startReceiver(t, KEY);
    const { client } = meetings.service;
    const { room, path } = await meetings.room({
      noOfModerators: 1,
      noOfParticipants: 1,
      noOfViewers: 1,
      enableLiveStreaming: true,
      enableTranscription: true,
    });
    if (engine) {
      await until("the engine is found", () =>
        client.joinRoom({ roomId: room, peerName: "Early" }).then(
          () => true,
          () => false,
        ),
      );
    }
    const ada = await meetings.enter(path, "Ada", {
      asAdministrator: true,
      script: await saying("hello world"),
    });
    await ada.button("Leave").waitFor();
    const ben = await meetings.enter(path, "Ben", { script: await saying("meeting") });
    await ben.button("Leave").waitFor();

    const { meetingId } = (await client.getMeeting({ roomId: room })).meeting;
    assert.ok(meetingId);
    await until(
      "the engine has both",
      async () => engine === undefined || (await engine.inside(meetingId)).size === 2,
    );

    const vera = await meetings.open(path);
    await vera.page.getByLabel("Your name").fill("Vera");
    await vera.page.getByRole("radio", { name: "Viewer" }).check();
    const told = [/being streamed live/, /being transcribed/].map((text) =>
      vera.page.getByRole("status").filter({ hasText: text }),
    );
    for (const one of told) assert.equal(await one.count(), 0);

    // Speech is transcribed while the stream begins.
    mood.refuses = true;
    const asked = ada.page.getByRole("dialog");
    await choose(ada, "Transcribe the meeting");
    await asked.getByLabel("Spoken language").selectOption({ label: "Welsh" });
    await asked.getByRole("button", { name: "Transcribe" }).click();
    await asked.waitFor({ state: "detached" });
    await choose(ada, "Stream live");
    // It asks once, and then shows where people watch.
    await asked.getByRole("button", { name: "Stream live" }).click();
    const link = asked.getByRole("textbox", { name: "The viewers’ link" });
    await link.waitFor();
    await until("the link is there", async () => (await link.inputValue()).endsWith(path));
    await asked.getByRole("button", { name: "Close", exact: true }).last().click();
    await asked.waitFor({ state: "detached" });
    const trouble = ada.page.getByText(
      "Transcription is not working: the speech service does not answer",
    );
    await trouble.waitFor();
    mood.refuses = false;
    const captions = ben.page.getByRole("region", { name: "Captions" });
    await captions
      .getByText(/hello world/)
      .first()
      .waitFor();
    await captions
      .getByText(/meeting/)
      .first()
      .waitFor();
    await trouble.waitFor({ state: "detached" });
    await captions.locator("[lang=cy]").first().waitFor();
    // Everybody can hide the captions, and reads their language there.
    await choose(ben, "Hide captions Welsh");
    await captions.waitFor({ state: "detached" });
    await choose(ben, "Show captions");
    await captions
      .getByText(/meeting/)
      .first()
      .waitFor();
    const { transcript } = await client.getTranscript({ meetingId });
    const wordsOf = (name: string) =>
      transcript.spoken.filter(({ peerName }) => peerName === name).map(({ text }) => text);
    // On a busy machine a caption may begin with the last word of the one before.
    assert.ok(
      wordsOf("Ada").some((text) => text.endsWith("hello world")),
      JSON.stringify(transcript.spoken),
    );
    assert.ok(
      wordsOf("Ben").some((text) => text.endsWith("meeting")),
      JSON.stringify(transcript.spoken),
    );
    assert.equal(wordsOf("Ben").join(" ").includes("world"), false);
    await ben.page.getByText("Live", { exact: true }).waitFor();
    // A page that was opened earlier shows this before its person enters.
    await vera.button("Join").click();
    for (const one of told) await one.waitFor();
    assert.equal(await vera.button("Leave").count(), 0);
    await vera.button("Join").click();
    await vera.button("Leave").waitFor();
    const said = vera.page.getByRole("log");
    for (const text of [
      "The meeting is being streamed live.",
      "The meeting is being transcribed.",
    ]) {
      await said.getByText(text).waitFor({ state: "attached" });
    }
    await leaveAll(vera);
    await client.editRoom({
      room,
      roomOwnerId: meetings.service.adminId,
      enableTranscription: false,
    });
    await ben.page.getByText("Transcribed", { exact: true }).waitFor({ state: "detached" });

    // The room is full: the page offers to watch.
    const cleo = await meetings.enter(path, "Cleo");
    await cleo.page.getByText("All seats of this role are taken.").waitFor();
    await cleo.button("Watch the live stream").click();
    const behind = cleo.page.getByText("You are watching about ten seconds behind");
    await behind.waitFor();
    const moving = async () =>
      cleo.page.evaluate<number>("document.querySelector('video').currentTime");
    const first = await moving();
    await until("the stream plays on", async () => (await moving()) > first + 3);
    // The stream breaks off and resumes, without opening a camera.
    const given = () => cleo.page.evaluate<number>("opened.length");
    const before = await given();
    await cleo.page.evaluate("document.querySelector('video').dispatchEvent(new Event('ended'))");
    await behind.waitFor({ state: "detached" });
    await behind.waitFor();
    assert.equal(await given(), before);
    const green = () => cleo.page.evaluate<number>(GREEN);
    await until("the cameras are in the picture", async () => (await green()) > 10);
    assert.equal(new URL(cleo.page.url()).search + new URL(cleo.page.url()).hash, "");
    await look(cleo.page, "stream");
    await choose(ada, "End the live stream");
    await cleo.page.getByRole("heading", { name: "The stream is over" }).waitFor();
    await look(cleo.page, "stream-over");
    await leaveAll(cleo);
    // If it ends unexpectedly, moderators see the reason.
    await meetings.service.change(async ({ tx, announce }) => {
      const failed = { error: "refused" };
      await tx.updateTable("runs").set(failed).where("kind", "=", "hls").execute();
      announce(meetingId);
    });
    const failure = ada.page.getByText(
      "The live stream has ended: the streaming service refuses the key.",
    );
    await failure.waitFor();

    // To a receiver, with the room's key; it reconnects by itself after the receiver was away.
    await client.editRoom({
      room,
      roomOwnerId: meetings.service.adminId,
      enableRTMPStreaming: true,
      liveStreamUrl: receiver.url,
      liveStreamKey: KEY,
    });
    const started = await client.startStream({ roomId: room });
    assert.equal(JSON.stringify(started).includes(KEY), false);
    const arrives = async () => (await receiver.publishing())[0]?.codecs === "H264 AAC";
    await until("the stream arrives", arrives);
    await failure.waitFor({ state: "detached" });
    const processes = await argumentsOfChildren();
    assert.ok(processes.some((one) => one.includes("pipe:1")));
    assert.equal(processes.join("\n").includes(KEY), false);
    await until("enough is recorded", async () => {
      const [file] = await receiver.recorded();
      return file !== undefined && (await readFile(file)).length > 100_000;
    });
    // A change of the setting ends the running stream.
    await client.editRoom({
      room,
      roomOwnerId: meetings.service.adminId,
      enableLiveStreaming: false,
    });
    await until(
      "the receiver sees the end",
      async () => (await receiver.publishing()).length === 0,
    );
    const [file = ""] = await receiver.recorded();
    assert.deepEqual((await probe(file)).codecs, ["aac", "h264"]);

    await leaveAll(ada, ben);
  },
);
