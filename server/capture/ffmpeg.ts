import { spawn } from "node:child_process";
import { join } from "node:path";
import { lowerPriority } from "../lib/processes.ts";
import { markOf } from "../lib/watch.ts";

/** Writes its input as HLS. */
export interface Writer {
  /**
   * Resolves when ffmpeg has ended: undefined if everything is written, otherwise its exit code and
   * error output.
   */
  readonly ended: Promise<string | undefined>;
  /** Returns a mark of its progress, which changes with each complete segment. */
  mark(): Promise<string>;
  /** How many bytes it has not taken yet. */
  waiting(): number;
  write(bytes: Buffer): void;
  /** Ends the input; ffmpeg then writes the rest. */
  finish(): void;
  kill(): void;
}

/**
 * The length of a segment in seconds: the most that a recording loses when its service is killed.
 */
export const SEGMENT_SECONDS = 4;
const NICE = 5;
/** How many characters of its error output are kept, from the end. */
const SAID = 2_000;

const playlistIn = (folder: string): string => join(folder, "index.m3u8");

/**
 * Arguments that copy H.264 and turn Opus into AAC, which every player knows. The playlist has its
 * full path: once the folder is renamed, a leftover ffmpeg can no longer change it.
 */
const argumentsFor = (folder: string, hasPicture: boolean): readonly string[] => [
  ...["-hide_banner", "-nostdin", "-loglevel", "error"],
  ...["-protocol_whitelist", "file,pipe", "-analyzeduration", "2M", "-probesize", "2M"],
  ...["-f", "matroska", "-i", "pipe:0"],
  ...(hasPicture ? ["-map", "0:v:0", "-c:v", "copy"] : []),
  ...["-map", "0:a:0", "-c:a", "aac", "-b:a", "128k"],
  ...["-f", "hls", "-hls_time", String(SEGMENT_SECONDS), "-hls_playlist_type", "event"],
  ...["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"],
  // A segment gets its name when it is complete.
  ...["-hls_flags", "temp_file"],
  // Relative to the working folder: a percent sign in the full path would count as a pattern.
  ...["-hls_segment_filename", "%d.m4s"],
  playlistIn(folder),
];

/**
 * Starts ffmpeg, which writes index.m3u8, init.mp4 and 0.m4s, 1.m4s ... into a folder.
 *
 * @throws Error if it cannot be started
 */
export const startWriter = async (
  program: string,
  folder: string,
  hasPicture: boolean,
): Promise<Writer> => {
  const child = spawn(program, argumentsFor(folder, hasPicture), {
    cwd: folder,
    env: {},
    stdio: ["pipe", "ignore", "pipe"],
  });
  // First: a child that lacks file descriptors has no streams.
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-SAID);
  });
  // It may end while input is written; `ended` reports that.
  child.stdin.on("error", () => {});
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("close", (code, signal) => {
      resolve(code === 0 ? undefined : `${signal ?? `exit code ${code}`}: ${said.trim()}`);
    });
  });
  if (child.pid !== undefined) lowerPriority(child.pid, NICE);
  return {
    ended,
    mark: () => markOf(playlistIn(folder)),
    waiting: () => child.stdin.writableLength,
    write: (bytes) => void (child.stdin.writable && child.stdin.write(bytes)),
    finish: () => void child.stdin.end(),
    kill: () => void child.kill("SIGKILL"),
  };
};
