import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../test/world/free-port.ts";
import { clock } from "./browser.ts";

/** A viewer's picture of a stream, as its mean brightness. */
export interface Screen {
  /** The newest picture, and when it arrived by the machine's clock; undefined before the first. */
  last(): { readonly brightness: number; readonly at: number } | undefined;
  stop(): Promise<void>;
}

/** Every picture as one gray point. */
const GRAY = ["-an", "-vf", "scale=1:1,format=gray", "-f", "rawvideo", "pipe:1"];

/** Receives a stream by RTMP. @param program ffmpeg */
export const receiveRtmp = async (program: string): Promise<Screen & { readonly url: string }> => {
  const port = await freePort();
  const url = `rtmp://127.0.0.1:${port}/live`;
  const child = spawn(
    program,
    [
      ...["-v", "quiet", "-fflags", "nobuffer", "-probesize", "32768", "-analyzeduration", "0"],
      ...["-listen", "1", "-i", `${url}/bench`, ...GRAY],
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  let last: ReturnType<Screen["last"]>;
  child.stdout.on("data", (bytes: Buffer) => {
    last = { brightness: bytes.at(-1) ?? 0, at: clock() };
  });
  return {
    url,
    last: () => last,
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
};

/** How often the playlist is loaded, in milliseconds. */
const LOOK_MS = 100;

/** Returns the brightness of the last picture of a segment. */
const lastOf = async (program: string, film: Buffer): Promise<number> => {
  const child = spawn(program, ["-v", "quiet", "-f", "mp4", "-i", "pipe:0", ...GRAY], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  // ffmpeg may stop reading before the end of the segment.
  child.stdin.on("error", () => {});
  child.stdin.end(film);
  let brightness: number | undefined;
  for await (const bytes of child.stdout) brightness = (bytes as Buffer).at(-1);
  if (brightness === undefined) throw new Error("A segment of the stream has no picture.");
  return brightness;
};

/**
 * Loads each segment of a live stream as soon as the playlist names it; a viewer sees the picture from then
 * on.
 *
 * @param program ffmpeg
 * @param playlist its address
 * @param cookie that of a viewer
 */
export const watchPlaylist = (program: string, playlist: string, cookie: string): Screen => {
  const load = async (file: string): Promise<Buffer> => {
    const answer = await fetch(new URL(file, playlist), { headers: { cookie } });
    if (!answer.ok) throw new Error(`${file} was answered with ${answer.status}.`);
    return Buffer.from(await answer.arrayBuffer());
  };
  let last: ReturnType<Screen["last"]>;
  let isOver = false;
  const watch = async (): Promise<void> => {
    const init = await load("init.mp4");
    for (let seen: string | undefined; !isOver; await sleep(LOOK_MS)) {
      const newest = /\d+\.m4s\s*$/.exec(String(await load(playlist)))?.[0].trim();
      if (newest === undefined || newest === seen) continue;
      const at = clock();
      seen = newest;
      last = { brightness: await lastOf(program, Buffer.concat([init, await load(newest)])), at };
    }
  };
  const watched = watch();
  watched.catch(() => {});
  return {
    last: () => last,
    async stop() {
      isOver = true;
      await watched;
    },
  };
};
