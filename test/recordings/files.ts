import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How long to wait for an ffmpeg of the service: with its lowest priority it starves on a busy machine. */
export const PATIENCE = 900_000;

/** ffprobe's report about a file or playlist. */
export interface Probed {
  /** Its duration, in seconds. */
  readonly seconds: number;
  /** The codecs of its streams. */
  readonly codecs: readonly string[];
  /** The height of its picture; undefined for sound only. */
  readonly height: number | undefined;
}

/** The number of pictures in a file or playlist. @throws Error if it cannot be read */
export const countPictures = async (path: string): Promise<number> => {
  const asked = ["-select_streams", "v:0", "-show_entries", "packet=pts", "-of", "csv"];
  const { stdout } = await run("ffprobe", ["-v", "error", ...asked, path]);
  return stdout.match(/^packet,/gm)?.length ?? 0;
};

/** Inspects a file or playlist with ffprobe. @throws Error if it cannot be read */
export const probe = async (path: string): Promise<Probed> => {
  const asked = ["-show_entries", "format=duration:stream=codec_name,height", "-of", "json"];
  const { stdout } = await run("ffprobe", ["-v", "error", ...asked, path]);
  const { format, streams } = JSON.parse(stdout) as {
    readonly format: { readonly duration: string };
    readonly streams: readonly { readonly codec_name: string; readonly height?: number }[];
  };
  return {
    seconds: Number(format.duration),
    codecs: streams.map(({ codec_name }) => codec_name).toSorted(),
    height: streams.find(({ height }) => height !== undefined)?.height,
  };
};

/** Live pictures arrive irregularly: two may get the same time if nothing is re-encoded. */
const harmless = /non monotonically increasing dts to muxer/;

/** Decodes every frame. @returns the errors of ffmpeg; empty: none */
export const decode = async (path: string): Promise<string> => {
  const { stderr } = await run("ffmpeg", ["-v", "repeat+error", "-i", path, "-f", "null", "-"]);
  const lines = stderr.split("\n").filter((line) => line !== "" && !harmless.test(line));
  return lines.join("\n");
};

/** Writes a recording as a capture does: a small picture and a tone, in segments of 4 seconds. */
export const writeSegments = async (folder: string, seconds: number): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await run(
    "ffmpeg",
    [
      ...["-v", "error", "-f", "lavfi", "-i", "testsrc=size=256x144:rate=10"],
      ...["-f", "lavfi", "-i", "sine=frequency=440", "-t", String(seconds)],
      ...[
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-g",
        "40",
        "-pix_fmt",
        "yuv420p",
        "-c:a",
        "aac",
      ],
      ...["-f", "hls", "-hls_time", "4", "-hls_playlist_type", "event"],
      ...["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"],
      ...["-hls_segment_filename", "%d.m4s", "index.m3u8"],
    ],
    { cwd: folder },
  );
};

/**
 * The output of a busy browser: its pictures come irregularly, after four seconds one per second, and all of
 * the sound.
 */
export const slowPictures = async (seconds: number): Promise<Buffer> => {
  const { stdout } = await run(
    "ffmpeg",
    [
      ...["-v", "error", "-f", "lavfi", "-i", `testsrc=size=256x144:rate=25:duration=${seconds}`],
      ...["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`],
      ...["-vf", "select='lt(t,4.2)+not(mod(n,25))',settb=1/1000,setpts='PTS+random(0)*30'"],
      ...["-fps_mode", "vfr", "-enc_time_base", "1:1000"],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"],
      ...["-c:a", "libopus", "-f", "matroska", "-"],
    ],
    { encoding: "buffer", maxBuffer: 64 * 1024 ** 2 },
  );
  return stdout;
};

/** Turns complete segments into the leftovers of a kill -9: no end, and an incomplete last segment. */
export const interrupt = async (folder: string): Promise<void> => {
  const playlist = join(folder, "index.m3u8");
  const text = await readFile(playlist, "utf8");
  await writeFile(playlist, text.replace("#EXT-X-ENDLIST\n", ""));
  const first = await readFile(join(folder, "0.m4s"));
  await writeFile(join(folder, "99.m4s.tmp"), first.subarray(0, first.length / 2));
};
