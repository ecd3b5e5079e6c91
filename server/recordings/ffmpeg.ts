import { spawn } from "node:child_process";
import { constants } from "node:os";
import { lowerPriority } from "../processes.ts";

/** Runs ffmpeg with arguments; resolves once it has ended well. */
export type Ffmpeg = (args: readonly string[]) => Promise<void>;

/** What of its messages is kept for the log. */
const KEPT = 2_000;

/**
 * Runs the program of its arguments behind everything else, and kills it when the standard input ends:
 * the system closes that of a service that was killed.
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
  if (!isWindows) return spawn("/bin/sh", ["-c", GUARD, "sh", program, ...args], { stdio });
  // Windows has no such shell: there ffmpeg outlives a service that is killed, until its file is made.
  const child = spawn(program, args, { stdio });
  child.stdin.once("close", () => child.kill());
  if (child.pid !== undefined) lowerPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
};

/**
 * An ffmpeg that opens local files only, gives way to everything else, and does not outlive the service.
 *
 * @param program its path
 * @param signal ends it
 * @returns a function that throws Error with the last of what it said where it fails
 */
export const openFfmpeg =
  (program: string, signal?: AbortSignal): Ffmpeg =>
  (args) =>
    new Promise((resolve, reject) => {
      const files = ["-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file"];
      const child = start(program, [...files, ...args]);
      const end = (): void => void child.stdin.destroy();
      signal?.addEventListener("abort", end, { once: true });
      if (signal?.aborted) end();
      let said = "";
      child.stderr.on("data", (data) => {
        said = `${said}${data}`.slice(-KEPT);
      });
      child.once("error", reject);
      child.once("close", (code, how) => {
        signal?.removeEventListener("abort", end);
        if (code === 0) resolve();
        else reject(new Error(`ffmpeg ended (${how ?? `exit code ${code}`}): ${said.trim()}`));
      });
    });
