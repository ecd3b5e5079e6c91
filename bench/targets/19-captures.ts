import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { recordingResolutions } from "../../contract/room-settings.ts";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { freePort } from "../../test/world/free-port.ts";
import { until } from "../../test/world/process.ts";
import { clock, openVisitors, untilSeen, type Visitor } from "../meetings/browser.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { descendantsOf, ownMemoryOf } from "../memory.ts";
import { processorMsOf } from "../processor.ts";
import { type Figure, target } from "../target.ts";

/** Until a capture draws and encodes evenly. */
const WARM_MS = 5_000;
/** How much darker or lighter the whole picture becomes at least when a camera goes on or off. */
const DIFFERENCE = 4;

/** Receives a stream as its mean brightness, picture by picture. */
const watchBrightness = async (program: string) => {
  const port = await freePort();
  const url = `rtmp://127.0.0.1:${port}/live`;
  const child = spawn(
    program,
    [
      ...["-v", "quiet", "-fflags", "nobuffer", "-probesize", "32768", "-analyzeduration", "0"],
      ...["-listen", "1", "-i", `${url}/bench`],
      ...["-an", "-vf", "scale=1:1,format=gray", "-f", "rawvideo", "pipe:1"],
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  let last: number | undefined;
  child.stdout.on("data", (bytes: Buffer) => {
    last = bytes.at(-1);
  });
  return {
    url,
    brightness: () => last,
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
};

export const captures = target({
  number: 19,
  section: "meetings",
  title: "Recordings by their size, and the delay of a live stream",
  async measure(bench) {
    const program = findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" });
    if (program === undefined) throw new Error("The bench of recordings needs ffmpeg.");
    const place = await openMeetingPlace(bench, "SQLite");
    const roomId = `captured-${process.pid}`;
    const code = await place.room({
      ...{ room: roomId, roomType: "conferencing", noOfParticipants: 2 },
      ...{ enableRecording: true, recordParticipant: true },
      ...{ enableLiveStreaming: true, enableRTMPStreaming: true },
    });
    const visitors = await openVisitors();
    const people: Visitor[] = [];
    for (const name of ["Ann", "Ben"]) {
      const profile = await visitors.profile();
      people.push(await visitors.enter(profile, `${place.url}/m/${code}`, name));
    }
    for (const { pictures } of people) {
      await untilSeen("a picture", async () => (await pictures()).first > 0);
    }

    const figures: Figure[] = [];
    for (const size of recordingResolutions) {
      const begun = await place.ask("startRecording", { roomId, resolutions: [size] });
      if (begun.body.success !== true) throw new Error(JSON.stringify(begun.body));
      const { recordingId } = begun.body.recording;
      const state = async () =>
        (await place.ask("fetchRecording", { recordingId })).body.recording.state;
      await until("the recording is active", async () => (await state()) === "active");
      await sleep(WARM_MS);
      const shares: number[] = [];
      for (let round = 0; round < bench.rounds; round += 1) {
        const pids = descendantsOf(place.servicePid());
        const used = () => pids.reduce((sum, one) => sum + processorMsOf(one), 0);
        const [before, from] = [used(), performance.now()];
        await sleep(bench.seconds * 1000);
        shares.push(((used() - before) / (performance.now() - from)) * 100);
      }
      const memory = descendantsOf(place.servicePid()).map(ownMemoryOf);
      const total = memory.reduce((sum, one) => sum + one, 0);
      figures.push(
        {
          what: `share of one core: a recording of two people at ${size}`,
          ...{ database: "SQLite", unit: "%", rounds: shares },
        },
        {
          what: `memory: a recording of two people at ${size}`,
          ...{ database: "SQLite", unit: "MB", rounds: [total] },
        },
      );
      await place.ask("stopRecording", { roomId });
      await until("the recording plays", async () => (await state()) === "ready");
    }

    const receiver = await watchBrightness(program);
    const begun = await place.ask("startStream", { roomId, url: receiver.url, key: "bench" });
    if (begun.body.success !== true) throw new Error(JSON.stringify(begun.body));
    await untilSeen("the stream", async () => receiver.brightness() !== undefined);
    const delays: number[] = [];
    const [ann] = people;
    for (let round = 0; round < 2 * Math.ceil(bench.rounds / 2); round += 1) {
      await sleep(WARM_MS);
      const before = receiver.brightness() ?? 0;
      const label = round % 2 === 0 ? "Turn the camera off" : "Turn the camera on";
      await ann?.page.getByRole("button", { name: label }).click();
      const from = clock();
      await untilSeen(
        "the other picture",
        async () => Math.abs((receiver.brightness() ?? 0) - before) >= DIFFERENCE,
      );
      delays.push((clock() - from) / 1000);
    }
    await place.ask("stopStream", { roomId });
    await receiver.stop();
    await visitors.close();
    await place.stop();
    return [
      ...figures,
      {
        what: "from a camera switched on or off to the picture at an RTMP receiver",
        ...{ database: "SQLite", unit: "s", rounds: delays },
        note: "two browsers with cameras, LiveKit, recorder and receiver share two cores",
      },
    ];
  },
});
