import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../test/world/process.ts";
import { openVisitors, untilSeen } from "../meetings/browser.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { target } from "../target.ts";

const formats = ["hls", "mp4"] as const;
const size = "1080p";

export const recordingPlays = target({
  number: 18,
  section: "meetings",
  title: "A recording of ten minutes",
  async measure(bench) {
    const place = await openMeetingPlace(bench, "SQLite");
    const visitors = await openVisitors();

    /** A person with a camera, alone in a room that is recorded. */
    const record = async (format: (typeof formats)[number]) => {
      const room = `recorded-${format}-${process.pid}`;
      const code = await place.room({
        room,
        roomType: "conferencing",
        enableRecording: true,
        recordParticipant: true,
        recordingFormat: format,
        recordingResolutions: [size],
      });
      await visitors.enter(await visitors.profile(), `${place.url}/m/${code}`, "Ann");
      await untilSeen("somebody is inside", async () => {
        const { body } = await place.ask("getMeeting", { roomId: room });
        return body.meeting.peers.some(({ state }: { state: string }) => state === "inside");
      });
      const begun = await place.ask("startRecording", { roomId: room });
      if (begun.body.success !== true) throw new Error(JSON.stringify(begun.body));
      const { recordingId } = begun.body.recording;
      const recording = async () =>
        (await place.ask("fetchRecording", { recordingId })).body.recording;
      await until("it is recorded", async () => (await recording()).state === "active");
      return { format, room, recordingId, recording };
    };

    /** Stops the recording as the page's button does. @returns seconds until a player gets its first bytes */
    const stop = async ({ room, recordingId, recording }: Awaited<ReturnType<typeof record>>) => {
      const from = performance.now();
      const { status } = await place.ask("stopRecording", { roomId: room });
      if (status !== 200) throw new Error(`stopRecording answered ${status}.`);
      while ((await recording()).state !== "ready") await sleep(20);
      const opened = await place.ask("openRecording", { recordingId });
      const [cookie = ""] = opened.headers.getSetCookie();
      const { url } = opened.body.media;
      const played = await fetch(place.url + url, { headers: { cookie: cookie.split(";")[0] } });
      await played.body?.getReader().read();
      const seconds = (performance.now() - from) / 1000;
      if (!played.ok) throw new Error(`${url} answered ${played.status}.`);
      const { seconds: length } = await recording();
      // Shorter by at most one segment; longer, because it began before the clock did.
      if (length < bench.recordedSeconds - 4) throw new Error(`It plays ${length} seconds.`);
      return seconds;
    };

    // At the same time: ten minutes each is long.
    const recorded = [await record("hls"), await record("mp4")];
    await sleep(bench.recordedSeconds * 1000);
    const figures = [];
    for (const one of recorded) {
      figures.push({
        what: `from the click on Stop to the moment at which a recording of ten minutes at ${size} plays, ${one.format}`,
        database: "SQLite" as const,
        unit: "s" as const,
        rounds: [await stop(one)],
        goal: { atMost: 5 },
      });
    }
    await visitors.close();
    await place.stop();
    return figures;
  },
});
