import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isRunnable, killGroup, lowerPriority } from "../lib/processes.ts";
import { markOf, STILL_MS, Watchdog } from "../lib/watch.ts";

/**
 * Runs ffmpeg with arguments; resolves when it has succeeded.
 *
 * @param output the file that it writes, or the folder that gets its files
 */
export type Ffmpeg = (args: readonly string[], output: string) => Promise<void>;

/** How many characters of its messages are logged. */
const KEPT = 2_000;

/**
 * Runs the program in its arguments with the lowest priority, prints its process ID, and kills it when the
 * standard input ends, which the system also closes when the service is killed.
 */
const GUARD = `
exec 3<&0
nice -n 19 "$@" </dev/null >/dev/null 3<&- &
program=$!
echo "$program"
{ read -r _ <&3; kill -9 "$program"; } >/dev/null 2>&1 &
wait "$program"
code=$?
kill $! 2>/dev/null
exit $code`;

const isWindows = process.platform === "win32";

/** Starts a program in a group of its own; closing its standard input ends it. */
const start = (program: string, args: readonly string[]) => {
  const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
  // Nothing of the service's environment, which has its secrets.
  const options = { detached: !isWindows, env: {}, stdio };
  if (!isWindows) return spawn("/bin/sh", ["-c", GUARD, "sh", program, ...args], options);
  // Windows has no such shell: there, after a kill of the service, ffmpeg goes on until its file is
  // made.
  const child = spawn(program, args, options);
  child.stdin?.once("close", () => child.kill());
  if (child.pid !== undefined) lowerPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
};

/**
 * A sign of an ffmpeg's progress: its output so far; also a new one each time while it waits for a processor, as
 * the lowest priority does on a busy machine.
 */
const signOf = (output: string, program: () => number | undefined) => {
  let waited = 0;
  return async (): Promise<string> => {
    const pid = program();
    if (pid !== undefined && (await isRunnable(pid))) waited += 1;
    return `${await markOf(output)} ${waited}`;
  };
};

/**
 * An ffmpeg that reads only local files, has the lowest priority, and does not outlive the service.
 * One that stands still is killed.
 *
 * @param program its path
 * @param signal ends it
 * @returns a function that runs it, and throws Error with its last output if it fails
 */
export const openFfmpeg =
  (program: string, signal?: AbortSignal): Ffmpeg =>
  (args, output) =>
    new Promise((resolve, reject) => {
      const files = ["-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file"];
      const child = start(program, [...files, ...args]);
      const end = (): void => void (child.pid !== undefined && killGroup(child.pid));
      let running: number | undefined;
      child.stdout?.setEncoding("utf8").once("data", (text: string) => {
        running = Number.parseInt(text, 10);
      });
      let isStill = false;
      const watch = new Watchdog({
        stillMs: STILL_MS.maker,
        sign: signOf(output, () => running),
        onStill: () => {
          isStill = true;
          end();
        },
      });
      const forget = (): void => {
        watch.stop();
        signal?.removeEventListener("abort", end);
      };
      // First: a child that lacks file descriptors has no streams.
      child.once("error", (error) => {
        forget();
        reject(error);
      });
      signal?.addEventListener("abort", end, { once: true });
      if (signal?.aborted) end();
      let said = "";
      child.stderr?.on("data", (data) => {
        said = `${said}${data}`.slice(-KEPT);
      });
      child.once("close", (code, how) => {
        forget();
        if (code === 0) resolve();
        else if (isStill) reject(new Error("ffmpeg stood still and was ended."));
        else reject(new Error(`ffmpeg ended (${how ?? `exit code ${code}`}): ${said.trim()}`));
      });
    });
