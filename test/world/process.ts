import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { devNull } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Twin, twinAsText } from "../twins/twin.ts";
import type { Scope } from "./empty-database.ts";
import { freePort } from "./free-port.ts";

const source = fileURLToPath(new URL("../../parley.js", import.meta.url));
const twinDoor = fileURLToPath(new URL("./twin-process.ts", import.meta.url));

/** The program: compiled by the run of the tests (run/program.ts), or otherwise the source. */
export const door = (): string => process.env.TEST_PROGRAM ?? source;

/** A service that is not ready by then never will be. */
const READY_MS = 300_000;

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A service as a separate process, with the faults that a test can cause. */
export interface Process {
  readonly url: string;
  readonly child: ChildProcess;
  /** Settled once the process has ended. */
  readonly ended: Promise<End>;
  hasEnded(): boolean;
  /** Its output and log so far. */
  said(): string;
  /** Sends a signal to the process; returns how it ended. */
  end(signal?: NodeJS.Signals): Promise<End>;
}

export interface ProcessOptions {
  /** A program that runs it, such as strace with its options. */
  readonly under?: readonly string[];
  /** A service with something wrong in it. */
  readonly twin?: Twin | undefined;
  /** The `parley.js` of another version. */
  readonly version?: string | undefined;
  /** A file for its standard output. */
  readonly outTo?: string;
  /** Does not wait until it is ready: it is expected to end, or to wait for something itself. */
  readonly unready?: boolean;
}

/** Returns whether a service says that it is ready. */
export const isReady = async (url: string): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  return answer?.status === 200;
};

/** A time that is long for anything that tests wait for, in milliseconds: after that it never happens. */
export const LONG_MS = 180_000;

/** Waits until the condition is true. @throws Error if it is not within the time */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = LONG_MS,
): Promise<number> => {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > withinMs) throw new Error(`Waited in vain: ${what}`);
    await sleep(50);
  }
  return performance.now() - begun;
};

/**
 * Starts `parley start` and waits until it is ready; it ends with the test.
 *
 * @throws Error with what it said, if it does not get ready
 */
export const startProcess = async (
  t: Scope,
  env: Readonly<Record<string, string>>,
  { under = [], twin, version, outTo, unready = false }: ProcessOptions = {},
): Promise<Process> => {
  const port = env.PORT === "0" ? String(await freePort()) : (env.PORT ?? "");
  const [program = "", ...args] = [
    ...under,
    process.execPath,
    ...(twin ? [twinDoor] : [version ?? door(), "start"]),
  ];
  const child = spawn(program, args, {
    // Makes it end with this process (see parley.js), and ignore this machine's settings.
    env: {
      PATH: process.env.PATH,
      PARLEY_ENV_FILE: devNull,
      npm_lifecycle_event: "test",
      // parley.js finds compiled code by itself.
      ...(twin && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      ...env,
      PORT: port,
      ...(twin && { TWIN: twinAsText(twin) }),
    },
    cwd: env.DATA_DIR,
    stdio: ["ignore", outTo === undefined ? "pipe" : openSync(outTo, "w"), "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<End>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const started: Process = {
    url: `${env.TLS_CERT ? "https" : "http"}://127.0.0.1:${port}`,
    child,
    ended,
    hasEnded,
    said: () => said,
    end: (signal = "SIGTERM") => {
      if (!hasEnded()) child.kill(signal);
      return ended;
    },
  };
  if (unready) return started;
  const ready = await until(
    "ready",
    async () => hasEnded() || (await isReady(started.url)),
    READY_MS,
  ).then(
    () => !hasEnded(),
    () => false,
  );
  if (!ready) {
    const { code, signal } = await started.end("SIGKILL");
    throw new Error(`The service did not get ready, and ended with ${signal ?? code}:\n${said}`);
  }
  return started;
};
