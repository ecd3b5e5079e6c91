import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CaptureConfig } from "../config/capture.ts";

/**
 * Debian's Chromium without windows, which starts sooner. The command of that name on the PATH is a
 * shell that waits for this program, and would be killed in its place.
 */
const HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell";

/** Where installers put Chromium and its kin, besides the PATH. */
const CHROMIUMS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
] as const;

const FFMPEGS = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg"] as const;

const suffix = process.platform === "win32" ? ".exe" : "";

const onPath = (path: string, names: readonly string[]): readonly string[] =>
  names.flatMap((name) =>
    path
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => join(folder, `${name}${suffix}`)),
  );

const first = (places: readonly string[]): string | undefined =>
  places.find((place) => existsSync(place));

/** The path of the recording browser: the configured one, or the lightest found. */
export const findChromium = ({
  chromium,
  path,
}: Pick<CaptureConfig, "chromium" | "path">): string | undefined =>
  first(
    chromium !== undefined
      ? [chromium]
      : [HEADLESS_SHELL, ...onPath(path, ["chromium", "google-chrome"]), ...CHROMIUMS],
  );

/** The path of ffmpeg: the configured one, or the first found. */
export const findFfmpeg = ({
  ffmpeg,
  path,
}: Pick<CaptureConfig, "ffmpeg" | "path">): string | undefined =>
  first(ffmpeg !== undefined ? [ffmpeg] : [...onPath(path, ["ffmpeg"]), ...FFMPEGS]);
