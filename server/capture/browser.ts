import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { killGroup, lowerPriority } from "../lib/processes.ts";
import { STILL_MS, Watchdog } from "../lib/watch.ts";

/*
 * A hidden Chromium, driven over two pipes (Chrome DevTools Protocol: JSON texts, each ended by a
 * zero). It ends when the pipes close, so a killed service leaves none behind.
 */

export interface HiddenBrowser {
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  open(url: string): Promise<void>;
  /** Evaluates an expression in an empty page. */
  evaluate(expression: string): Promise<unknown>;
  /** Ends it with all of its children. */
  close(): Promise<void>;
}

export interface BrowserOptions {
  readonly program: string;
  /** A folder for this browser alone, for its profile. */
  readonly folder: string;
  /** The only names that it may look up, besides loopback. */
  readonly hosts: readonly string[];
}

/** Below the service and its media, where people notice delays first. */
const NICE = 5;

/**
 * The parts of Chromium's own window: each is a page in a process, which takes half a second of
 * processor time, and nobody sees them.
 *
 * @see https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/ui/ui_features.cc
 */
export const windowParts: readonly string[] = [
  "InitialWebUI",
  "PreloadTopChromeWebUI",
  "WebUILocationBar",
  "WebUIOmniboxPopup",
  "WebUIReloadButton",
  "WebUIToolbar",
];

/** @see https://peter.sh/experiments/chromium-command-line-switches/ */
const argumentsFor = ({ folder, hosts }: Omit<BrowserOptions, "program">): readonly string[] => [
  "--headless=new",
  "--remote-debugging-pipe",
  `--user-data-dir=${folder}`,
  "--window-size=480,270",
  // It connects only to this service and to the people in the meeting.
  `--host-resolver-rules=MAP * ~NOTFOUND, ${["127.0.0.1", ...hosts].map((host) => `EXCLUDE ${host}`).join(", ")}`,
  "--no-proxy-server",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-breakpad",
  "--disable-sync",
  "--metrics-recording-only",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-pings",
  "--no-service-autorun",
  "--password-store=basic",
  "--use-mock-keychain",
  // Its window is never visible, which must not slow it down.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--hide-scrollbars",
  "--mute-audio",
  "--autoplay-policy=no-user-gesture-required",
  // People reach it by its IP addresses: mDNS names work only on the local network. The media
  // engine may be on loopback.
  `--disable-features=WebRtcHideLocalIpsWithMdns,MediaRouter,OptimizationHints,Translate,${windowParts}`,
  "--allow-loopback-in-peer-connection",
  // Chromium refuses to run its sandbox as root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "about:blank",
];

/** The most characters of a message; a program that sends more is no Chromium. */
const LONGEST = 4 * 1024 * 1024;

interface Answer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/**
 * Sends commands over the pipes.
 *
 * @param kill ends a browser that does not answer, or answers as no Chromium does
 * @returns a function that throws Error if the browser refuses or has ended
 */
const protocol = (to: Writable, from: Readable, ended: Promise<unknown>, kill: () => void) => {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  let rest = "";
  const take = (text: string): void => {
    const messages = (rest + text).split("\0");
    rest = messages.pop() ?? "";
    if (rest.length > LONGEST) throw new RangeError("A message of the browser has no end.");
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer;
      waiting.get(answer.id ?? 0)?.(answer);
    }
  };
  from.setEncoding("utf8").on("data", (text: string) => {
    try {
      take(text);
    } catch {
      from.destroy();
      kill();
    }
  });
  for (const pipe of [to, from]) pipe.on("error", () => {});
  const gone = ended.then(() => ({ error: { message: "The browser has ended." } }) as Answer);
  return async (method: string, params: object, sessionId?: unknown) => {
    last += 1;
    const id = last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const watch = new Watchdog({ stillMs: STILL_MS.command, onStill: kill });
    const { result, error } = await Promise.race([answered, gone]);
    watch.stop();
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
};

/** Starts a hidden browser. @throws Error if it cannot be started */
export const launchBrowser = async ({
  program,
  ...options
}: BrowserOptions): Promise<HiddenBrowser> => {
  const child = spawn(program, argumentsFor(options), {
    // Its own group, so that all of it can be ended, and nothing of our environment.
    detached: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: options.folder, LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  const { pid } = child;
  if (pid === undefined) throw new Error("The browser has no process ID.");
  lowerPriority(pid, NICE);
  const kill = (): void => killGroup(pid);
  const call = protocol(child.stdio[3] as Writable, child.stdio[4] as Readable, ended, kill);
  return {
    pid,
    ended,
    async open(url) {
      await call("Target.createTarget", { url });
    },
    async evaluate(expression) {
      const { targetId } = await call("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
      const asked = { expression, awaitPromise: true, returnByValue: true };
      const { result } = await call("Runtime.evaluate", asked, sessionId);
      return (result as { readonly value?: unknown } | undefined)?.value;
    },
    async close() {
      kill();
      await ended;
    },
  };
};
