import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { getPriority, setPriority } from "node:os";
import { promisify } from "node:util";

/** Whether a process with this ID runs. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The command line of a process, its parts apart by spaces or zeros; empty where there is none. */
export const commandOf = (pid: number): Promise<string> =>
  process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
    : promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).then(
        ({ stdout }) => stdout,
        () => "",
      );

/**
 * Lets one of our processes yield to others. A service with a lower priority of its own keeps it there: only the
 * system's administrator may bring a process forward.
 *
 * @param pid 0: what runs this, a thread alone on Linux
 * @param nice from 0, as the service by itself, to 19
 */
export const lowerPriority = (pid: number, nice: number): void => {
  try {
    setPriority(pid, Math.max(nice, getPriority()));
  } catch {
    // It has ended already, or the system does not allow it: it runs as it is.
  }
};

/** Kills a process that was started with a group of its own, and all that it has started. */
export const killGroup = (leader: number): void => {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // Nobody of it is left.
  }
};
