import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../lib/processes.ts";

/** A process that this service started, or found running. */
export interface Engine {
  readonly pid: number;
  readonly hasEnded: () => boolean;
  /** Resolves with how it ended, in a few words. */
  readonly ended: Promise<string>;
}

const LOOK_MS = 250;

/**
 * Starts LiveKit. Its configuration is in its environment, not in its arguments, which other users
 * of the machine can read; it gets nothing else of our own environment.
 *
 * @param name what the list of processes calls it
 * @param log the file that gets what it prints
 * @throws Error if it cannot be started
 */
export const launch = async ({
  program,
  name,
  config,
  log,
}: {
  readonly program: string;
  readonly name: string;
  readonly config: string;
  readonly log: string;
}): Promise<Engine> => {
  // LiveKit appends, so that the file can be truncated while it runs.
  await (await open(log, "w", 0o600)).close();
  const file = await open(log, "a", 0o600);
  try {
    const child = spawn(program, [], {
      argv0: name,
      env: { LIVEKIT_CONFIG: config },
      stdio: ["ignore", file.fd, file.fd],
    });
    let over = false;
    const ended = new Promise<string>((resolve) => {
      child.once("exit", (code, signal) => {
        over = true;
        resolve(signal ?? `exit code ${code}`);
      });
    });
    await new Promise((resolve, reject) => {
      child.once("spawn", resolve).once("error", reject);
    });
    if (child.pid === undefined) throw new Error("The media engine has no process ID.");
    return { pid: child.pid, hasEnded: () => over, ended };
  } finally {
    await file.close();
  }
};

/** Takes over a process that an earlier service started. */
export const adopt = (pid: number): Engine => {
  const wait = async (): Promise<string> => {
    while (isAlive(pid)) await sleep(LOOK_MS, undefined, { ref: false });
    return "gone";
  };
  return { pid, hasEnded: () => !isAlive(pid), ended: wait() };
};

/**
 * The signals that end LiveKit, each with the milliseconds to wait after it. After the first one
 * LiveKit waits for people to leave, and within 100 ms of its start it misses it; after the second one
 * it ends at once.
 */
const signals = [
  ["SIGTERM", 500],
  ["SIGTERM", 5_000],
  ["SIGKILL", 60_000],
] as const;

/** Ends a process at once, also one that stands still. */
export const kill = ({ pid }: Engine): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
};

/** Ends a process, and waits until it has ended. */
export const end = async (engine: Engine): Promise<void> => {
  for (const [signal, patience] of signals) {
    if (engine.hasEnded()) return;
    try {
      process.kill(engine.pid, signal);
    } catch {
      return;
    }
    const over = new AbortController();
    const waited = sleep(patience, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([engine.ended, waited]);
    over.abort();
  }
};
