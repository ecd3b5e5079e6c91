import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { getPriority, setPriority } from "node:os";
import { promisify } from "node:util";

/** Whether a process with this ID runs. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user, as another installation may.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/**
 * The command line of a process, with its parts separated by spaces or NUL bytes; empty where there is
 * none.
 */
export const commandOf = (pid: number): Promise<string> =>
  process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
    : promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).then(
        ({ stdout }) => stdout,
        () => "",
      );

/** Whether a process computes, or waits only for a processor (Linux; elsewhere nothing is known). */
export const isRunnable = async (pid: number): Promise<boolean> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => "")),
  );
  // After the name in parentheses: the state.
  return states.some((state) => /^.*\) R/s.test(state));
};

/**
 * Lowers the priority of one of our processes. If the service itself already has a lower one, the
 * process gets that: only the system's administrator may raise a priority.
 *
 * @param pid 0: the current process, on Linux the current thread alone
 * @param nice from 0, the default of the service, to 19
 */
export const lowerPriority = (pid: number, nice: number): void => {
  try {
    setPriority(pid, Math.max(nice, getPriority()));
  } catch {
    // The process has ended already, or the system does not allow it: its priority stays.
  }
};

/** Kills a process that was started with its own group, and everything that it has started. */
export const killGroup = (leader: number): void => {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
};
