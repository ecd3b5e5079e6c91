import { spawn } from "node:child_process";
import { constants } from "node:os";
import { lowerPriority } from "../processes.ts";

/** Runs ffmpeg with arguments; resolves once it has succeeded. */
export type Ffmpeg = (args: readonly string[]) => Promise<void>;

/** How much of its messages is kept for the log, in characters. */
const KEPT = 2_000;

/**
 * Runs the program in its arguments with the lowest priority, and kills it when the standard input ends,
 * which the system also closes when the service is killed.
 */
const GUARD = `
exec 3<&0
nice -n 19 "$@" </dev/null 3<&- &
program=$!
{ read -r _ <&3; kill -9 "$program"; } >/dev/null 2>&1 &
wait "$program"
code=$?
kill $! 2>/dev/null
exit $code`;

const isWindows = process.platform === "win32";

/** Starts a program; closing its standard input ends it. */
const start = (program: string, args: readonly string[]) => {
  const stdio: ["pipe", "ignore", "pipe"] = ["pipe", "ignore", "pipe"];
  // Nothing of the service's own environment, which has its secrets.
  const options = { env: {}, stdio };
  if (!isWindows) return spawn("/bin/sh", ["-c", GUARD, "sh", program, ...args], options);
  // Windows has no such shell: there, after a kill of the service, ffmpeg goes on until its file is made.
  const child = spawn(program, args, options);
  child.stdin?.once("close", () => child.kill());
  if (child.pid !== undefined) lowerPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
};

/**
 * Opens an ffmpeg that reads local files only, has the lowest priority, and does not outlive the service.
 *
 * @param program its path
 * @param signal ends it
 * @returns a function that runs it, and throws Error with its last output if it fails
 */
export const openFfmpeg =
  (program: string, signal?: AbortSignal): Ffmpeg =>
  (args) =>
    new Promise((resolve, reject) => {
      const files = ["-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file"];
      const child = start(program, [...files, ...args]);
      const end = (): void => void child.stdin?.destroy();
      // First: a child that could not be started for want of file descriptors has no streams.
      child.once("error", (error) => {
        signal?.removeEventListener("abort", end);
        reject(error);
      });
      signal?.addEventListener("abort", end, { once: true });
      if (signal?.aborted) end();
      let said = "";
      child.stderr?.on("data", (data) => {
        said = `${said}${data}`.slice(-KEPT);
      });
      child.once("close", (code, how) => {
        signal?.removeEventListener("abort", end);
        if (code === 0) resolve();
        else reject(new Error(`ffmpeg ended (${how ?? `exit code ${code}`}): ${said.trim()}`));
      });
    });
