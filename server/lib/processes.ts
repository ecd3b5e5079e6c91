import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { getPriority, setPriority } from "node:os";
import { promisify } from "node:util";

/** Returns whether a process with this ID runs. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user, perhaps for another installation.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/**
 * The command line of a process, its parts separated by spaces or NUL bytes; empty if there is
 * none.
 */
export const commandOf = (pid: number): Promise<string> =>
  process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
    : promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).then(
        ({ stdout }) => stdout,
        () => "",
      );

/** Returns whether a process is running or ready to run (Linux; unknown elsewhere). */
export const isRunnable = async (pid: number): Promise<boolean> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => "")),
  );
  // After the name in parentheses: the state.
  return states.some((state) => /^.*\) R/s.test(state));
};

/**
 * Lowers the priority of one of our processes. A service with a lower priority passes its own on:
 * only root may raise one.
 *
 * @param pid 0: the current process, on Linux only the current thread
 * @param nice from 0, the service's default, to 19
 */
export const lowerPriority = (pid: number, nice: number): void => {
  try {
    setPriority(pid, Math.max(nice, getPriority()));
  } catch {
    // The process has ended, or the system does not allow it; the priority stays.
  }
};

/** Kills a process that was started in its own group, with its children. */
export const killGroup = (leader: number): void => {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // The group is empty.
  }
};
