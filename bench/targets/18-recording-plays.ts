import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { openFfmpeg } from "../../server/recordings/ffmpeg.ts";
import { finishRecording } from "../../server/recordings/finish.ts";
import { CAPTURE } from "../../server/recordings/folder.ts";
import { target } from "../target.ts";

const run = promisify(execFile);

/** Ten minutes in segments of 4 seconds. */
const SEGMENTS = 150;

/** Writes what a recorder leaves of ten minutes at 1080p, 4 Mbit a second; one segment, again and again. */
const writeRecorded = async (program: string, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const quiet = ["-v", "error", "-y"];
  await run(
    program,
    [
      ...[...quiet, "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=25"],
      ...["-f", "lavfi", "-i", "sine=frequency=440", "-t", "4", "-c:v", "libx264"],
      ...["-preset", "ultrafast", "-b:v", "4M", "-minrate", "4M", "-bufsize", "4M", "-g", "50"],
      ...["-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", "segment.mp4"],
    ],
    { cwd: folder },
  );
  await run(
    program,
    [
      ...[...quiet, "-stream_loop", String(SEGMENTS - 1), "-i", "segment.mp4", "-c", "copy"],
      ...["-f", "hls", "-hls_time", "4", "-hls_playlist_type", "event"],
      ...["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"],
      ...["-hls_segment_filename", "%d.m4s", "index.m3u8"],
    ],
    { cwd: folder },
  );
  rmSync(join(folder, "segment.mp4"));
};

export const recordingPlays = target({
  number: 18,
  section: "meetings",
  title: "A recording of ten minutes",
  async measure(bench) {
    const program = findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" });
    if (program === undefined) throw new Error("The bench of recordings needs ffmpeg.");
    const all = bench.folder("recordings");
    const recorded = join(all, "recorded");
    await writeRecorded(program, recorded);
    const ffmpeg = openFfmpeg(program);
    const seconds = { hls: [] as number[], mp4: [] as number[] };
    for (let round = 0; round < bench.rounds; round += 1) {
      for (const format of ["hls", "mp4"] as const) {
        const folder = join(all, `${format}-${round}`);
        cpSync(recorded, join(folder, CAPTURE), { recursive: true });
        const from = performance.now();
        const made = await finishRecording(
          ffmpeg,
          { folder, format, sizes: ["1080p"] },
          0,
          (err) => {
            throw err;
          },
        );
        seconds[format].push((performance.now() - from) / 1000);
        // Sound ends with a whole frame, so each copied segment is a little longer than its picture.
        const whole = Math.abs((made?.seconds ?? 0) / (SEGMENTS * 4) - 1) < 0.01;
        if (!whole) throw new Error(`It plays ${made?.seconds} seconds.`);
        rmSync(folder, { recursive: true });
      }
    }
    rmSync(recorded, { recursive: true });
    return (["hls", "mp4"] as const).map((format) => ({
      what: `from the end of a recording of ten minutes at 1080p to the moment at which it plays, ${format}`,
      ...{ unit: "s", rounds: seconds[format], goal: { atMost: 5 } },
    }));
  },
});
