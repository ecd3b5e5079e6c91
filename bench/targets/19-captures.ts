import { setTimeout as sleep } from "node:timers/promises";
import { recordingResolutions } from "../../contract/rooms/settings.ts";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { askAs } from "../../test/world/ask.ts";
import { until } from "../../test/world/process.ts";
import { clock, openVisitors, untilSeen, type Visitor } from "../meetings/browser.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { receiveRtmp, type Screen, watchPlaylist } from "../meetings/screens.ts";
import { descendantsOf, ownMemoryOf } from "../memory.ts";
import { processorMsOf } from "../processor.ts";
import { type Figure, target } from "../target.ts";

/** Time for a capture to draw and encode at an even pace. */
const WARM_MS = 5_000;
/** How much the brightness of the whole picture changes at least when a camera goes on or off. */
const DIFFERENCE = 4;

export const captures = target({
  number: 19,
  section: "meetings",
  title: "Recordings by their size, and the delays of live streams",
  async measure(bench) {
    const program = findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" });
    if (program === undefined) throw new Error("The bench of recordings needs ffmpeg.");
    const place = await openMeetingPlace(bench, "SQLite");
    const roomId = `captured-${process.pid}`;
    const code = await place.room({
      room: roomId,
      roomType: "conferencing",
      noOfParticipants: 2,
      enableRecording: true,
      recordParticipant: true,
      enableLiveStreaming: true,
      enableRTMPStreaming: true,
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
          database: "SQLite",
          unit: "%",
          rounds: shares,
        },
        {
          what: `memory: a recording of two people at ${size}`,
          database: "SQLite",
          unit: "MB",
          rounds: [total],
        },
      );
      await place.ask("stopRecording", { roomId });
      await until("the recording plays", async () => (await state()) === "ready");
    }

    const start = async (receiver: object): Promise<void> => {
      const { body } = await place.ask("startStream", { roomId, ...receiver });
      if (body.success !== true) throw new Error(JSON.stringify(body));
    };
    const streamState = async () =>
      (await place.ask("getMeeting", { roomId })).body.meeting.liveStream?.state;
    const [ann] = people;
    /** Ends the stream afterwards. @returns seconds from a click on the camera to the changed picture */
    const delaysTo = async (screen: Screen): Promise<readonly number[]> => {
      await untilSeen("the stream", async () => screen.last() !== undefined);
      const delays: number[] = [];
      for (let round = 0; round < 2 * Math.ceil(bench.rounds / 2); round += 1) {
        await sleep(WARM_MS);
        const before = screen.last()?.brightness ?? 0;
        const label = round % 2 === 0 ? "Turn the camera off" : "Turn the camera on";
        await ann?.page.getByRole("button", { name: label }).click();
        const from = clock();
        const isOther = () =>
          Math.abs((screen.last()?.brightness ?? before) - before) >= DIFFERENCE;
        await untilSeen("the other picture", async () => isOther());
        delays.push(((screen.last()?.at ?? 0) - from) / 1000);
      }
      await screen.stop();
      await place.ask("stopStream", { roomId });
      await untilSeen("the end of the stream", async () => (await streamState()) === undefined);
      return delays;
    };

    const receiver = await receiveRtmp(program);
    await start({ url: receiver.url, key: "bench" });
    const sent = await delaysTo(receiver);

    await place.edit(roomId, { enableRTMPStreaming: false });
    await start({});
    await untilSeen("the stream is live", async () => (await streamState()) === "live");
    const watching = await askAs(place.url, undefined)("watchStream", { roomId: code });
    const [cookie = ""] = watching.headers
      .getSetCookie()
      .filter((one) => one.startsWith("parley_watch="));
    const playlist = place.url + watching.body.playlist;
    const shown = await delaysTo(watchPlaylist(program, playlist, cookie.split(";", 1)[0] ?? ""));
    await visitors.close();
    await place.stop();
    return [
      ...figures,
      {
        what: "from a camera switched on or off to the picture at an RTMP receiver",
        database: "SQLite",
        unit: "s",
        rounds: sent,
        note: "two browsers with cameras, LiveKit, recorder and receiver share two cores",
      },
      {
        what: "from a camera switched on or off to a segment with the picture in the playlist of viewers",
        database: "SQLite",
        unit: "s",
        rounds: shown,
        note: "a player shows it later by what it keeps in reserve",
      },
    ];
  },
});
