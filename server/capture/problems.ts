import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CaptureConfig } from "../config-capture.ts";
import { launchBrowser } from "./browser.ts";
import { newPlace } from "./place.ts";
import { findChromium, findFfmpeg } from "./programs.ts";

/** Why meetings cannot be recorded here, and what to do. */
export interface CaptureProblem {
  readonly code:
    | "chromium_missing"
    | "chromium_fails"
    | "h264_missing"
    | "ffmpeg_missing"
    | "page_missing";
  readonly text: string;
  readonly advice: string;
}

const problems = {
  chromium_missing: {
    text: "There is no Chromium or Google Chrome on this machine.",
    advice: 'Install one (on Debian: "apt install chromium"), or set CHROMIUM to its path.',
  },
  chromium_fails: {
    text: "Chromium does not start.",
    advice: "Start it with --headless as the user of the service to see why.",
  },
  h264_missing: {
    text: "This Chromium cannot write H.264.",
    advice: "Set CHROMIUM to one that can, such as Google Chrome or Debian's chromium.",
  },
  ffmpeg_missing: {
    text: "There is no ffmpeg on this machine.",
    advice: 'Install it (on Debian: "apt install ffmpeg"), or set FFMPEG to its path.',
  },
  page_missing: {
    text: "The console is not built, and the recorder's page with it.",
    advice: 'Run "npm run build".',
  },
} as const;

const problem = (code: CaptureProblem["code"]): CaptureProblem => ({ code, ...problems[code] });

const SUPPORTED = 'MediaRecorder.isTypeSupported("video/x-matroska;codecs=avc1,opus")';

const tryBrowser = async (program: string): Promise<CaptureProblem | undefined> => {
  const place = await newPlace();
  try {
    const browser = await launchBrowser({ program, folder: place.folder, hosts: [] });
    try {
      await place.take(browser.pid);
      return (await browser.evaluate(SUPPORTED)) === true ? undefined : problem("h264_missing");
    } finally {
      await browser.close();
    }
  } catch {
    return problem("chromium_fails");
  } finally {
    await place.remove();
  }
};

/** What was found out about a program, which is tried once for each process of the service. */
const tried = new Map<string, Promise<CaptureProblem | undefined>>();

const runs = (program: string): Promise<boolean> =>
  promisify(execFile)(program, ["-version"], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );

/**
 * Why meetings cannot be recorded, streamed or transcribed on this machine. Starts the browser once.
 *
 * @param pages the folder of the built console; undefined where the service has none
 * @returns nothing where they can
 */
export const captureProblems = async (
  config: CaptureConfig,
  pages: string | undefined,
): Promise<readonly CaptureProblem[]> => {
  const found: (CaptureProblem | undefined)[] = [];
  const chromium = findChromium(config);
  const ffmpeg = findFfmpeg(config);
  if (chromium === undefined) found.push(problem("chromium_missing"));
  else {
    const trying = tried.get(chromium) ?? tryBrowser(chromium);
    tried.set(chromium, trying);
    const result = await trying;
    // What fails may work the next time; what works does so again.
    if (result !== undefined) tried.delete(chromium);
    found.push(result);
  }
  if (ffmpeg === undefined || !(await runs(ffmpeg))) found.push(problem("ffmpeg_missing"));
  if (pages === undefined || !existsSync(join(pages, "capture.html"))) {
    found.push(problem("page_missing"));
  }
  return found.filter((one) => one !== undefined);
};
