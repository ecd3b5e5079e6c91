import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";

/** Runs ffmpeg with arguments; resolves once it has ended well. */
export type Ffmpeg = (args: readonly string[]) => Promise<void>;

/** What of its messages is kept for the log. */
const KEPT = 2_000;

/** Meetings come before finished recordings. */
const yieldTo = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system does not let us.
  }
};

/**
 * An ffmpeg that opens local files only, and gives way to everything else.
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
      const child = spawn(program, [...files, ...args], {
        stdio: ["ignore", "ignore", "pipe"],
        killSignal: "SIGKILL",
        ...(signal && { signal }),
      });
      yieldTo(child.pid);
      let said = "";
      child.stderr.on("data", (data) => {
        said = `${said}${data}`.slice(-KEPT);
      });
      child.once("error", reject);
      child.once("close", (code, how) => {
        if (code === 0) resolve();
        else reject(new Error(`ffmpeg ended (${how ?? `exit code ${code}`}): ${said.trim()}`));
      });
    });
