import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Ends the database, and removes its folder, when this process is gone: even after kill -9. */
export const endWithThisProcess = (running: ChildProcess, folder: string): ChildProcess => {
  // Its standard input is a pipe from this process, which breaks when this process ends.
  const script =
    'read _; kill -CONT "$0"; kill -QUIT "$0"; for _ in 1 2 3 4 5 6 7 8 9; do kill -0 "$0" || break; sleep 1; done; rm -rf "$1"';
  const guard = spawn("sh", ["-c", script, String(running.pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
};

/** Resumes a frozen server. */
export const thaw = (running: ChildProcess): void => {
  signalAll(running, "SIGCONT");
};

/** Sends a signal to the server and to every process that it created: each of them leads a separate group. */
export const signalAll = (running: ChildProcess, signal: NodeJS.Signals): void => {
  if (running.pid === undefined) return;
  running.kill(signal);
  for (const child of childrenOf(running.pid)) {
    try {
      process.kill(child, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
};

const childrenOf = (parent: number): number[] => {
  // On other systems only the main process is frozen, which only stops new connections.
  if (!existsSync("/proc/self/stat")) return [];
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((pid) => parentOf(pid) === parent);
};

const parentOf = (pid: number): number | undefined => {
  try {
    // "pid (name) state parent ...", and the name may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]);
  } catch {
    return undefined;
  }
};
