import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { pathOfPicture } from "../world/pictures.ts";
import { until } from "../world/process.ts";

const run = promisify(execFile);

/** A part of a picture, as shares of its width and height. */
export type Region = readonly [x: number, y: number, width: number, height: number];

/** Red, green, blue. */
export type Color = readonly number[];

/** The center of the whole picture. */
export const WHOLE: Region = [0.3, 0.2, 0.4, 0.3];

/** The level of a person who is heard, and of silence, in decibels below the loudest. */
export const LOUD = -35;
export const QUIET = -55;

/** A recording in its folder, in the form in which a player finds it. */
export const recordingIn = (folder: string) => {
  const playlist = join(folder, "index.m3u8");
  const text = (): string => (existsSync(playlist) ? readFileSync(playlist, "utf8") : "");
  const seconds = (): number =>
    [...text().matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, one]) => sum + Number(one), 0);
  // By default ffmpeg would read a live playlist from its last segments.
  const input = ["-live_start_index", "0", "-i", playlist];
  const frame = (at: number) => ["-v", "error", ...input, "-ss", String(at), "-frames:v", "1"];
  /** The average color of a part of the picture at a given second. */
  const color = async (at: number, [x, y, width, height]: Region): Promise<Color> => {
    const crop = `crop=iw*${width}:ih*${height}:iw*${x}:ih*${y},scale=1:1:flags=area`;
    const raw = ["-vf", crop, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"];
    const { stdout } = await run("ffmpeg", [...frame(at), ...raw], { encoding: "buffer" });
    return [...stdout.subarray(0, 3)];
  };
  return {
    seconds,
    isComplete: (): boolean => text().includes("#EXT-X-ENDLIST"),
    /** Waits until this many seconds can be played. */
    lasts: (wanted: number) => until(`${wanted} seconds are written`, () => seconds() >= wanted),
    /** The streams, as ffprobe names them. */
    async streams(): Promise<readonly string[]> {
      const shown = ["-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"];
      const { stdout } = await run("ffprobe", ["-v", "error", ...shown, playlist]);
      // ffprobe lists each stream of HLS twice: in a program, and separately.
      return [...new Set(stdout.split("\n").filter((line) => line !== ""))].toSorted();
    },
    /** The level around a frequency, in decibels below the loudest. */
    async volume(tone: number, from: number, length: number): Promise<number> {
      const narrow = `bandpass=f=${tone}:width_type=h:w=60`;
      // Cut in the filter: output options would cut only after everything was measured.
      const part = `atrim=start=${from}:duration=${length}`;
      const filter = `${narrow},${narrow},${part},volumedetect`;
      const { stderr } = await run("ffmpeg", [
        ...["-hide_banner", "-nostats", ...input],
        ...["-vn", "-af", filter, "-f", "null", "-"],
      ]);
      return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NEGATIVE_INFINITY);
    },
    /** Returns whether a part of the picture has a color at a given second. */
    isColor: async (at: number, region: Region, wanted: Color): Promise<boolean> =>
      isLike(await color(at, region), wanted),
    /** The same, but a wrong color is a failure, which keeps the frame for people to look at. */
    async shows(what: string, at: number, region: Region, wanted: Color): Promise<void> {
      const seen = await color(at, region);
      if (isLike(seen, wanted)) return;
      const path = pathOfPicture(`frame-${what.replace(/\W+/g, "-")}`);
      await run("ffmpeg", [...frame(at), "-update", "1", "-y", path]);
      assert.fail(`${what}: rgb(${seen}) instead of rgb(${wanted}) at ${at} s; see ${path}`);
    },
  };
};

/** Returns whether two colors look the same; each video codec on the way changes them a little. */
const isLike = (one: Color, other: Color): boolean =>
  one.length === 3 && one.every((value, index) => Math.abs(value - (other[index] ?? 999)) < 60);
