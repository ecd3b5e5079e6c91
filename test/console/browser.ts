import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
].filter((place) => place !== undefined);

const find = (): string | undefined => PLACES.find((place) => existsSync(place));

/** Other files of tests may be installing it at the same time; the package manager lets one at it. */
const TRIES = 30;
const PAUSE_MS = 5_000;

const install = (): void => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  console.error("Chromium is missing; installing it (apt-get install chromium) …");
  for (let tries = 0; tries < TRIES && find() === undefined; tries += 1) {
    try {
      execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
      execFileSync("apt-get", ["install", "-y", "-qq", "chromium"], { stdio: "ignore" });
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
};

/** The system's Chromium, installed where that is possible. */
export const chromiumPath = (): string => {
  if (find() === undefined) install();
  const path = find();
  if (path === undefined) {
    throw new Error(
      "The tests of the console need Chromium. Install it (apt-get install chromium) or set CHROMIUM to its path.",
    );
  }
  return path;
};

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
