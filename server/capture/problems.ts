import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CaptureConfig } from "../config/capture.ts";
import { launchBrowser } from "./browser.ts";
import { missingScripts, type Script } from "./fonts.ts";
import { newProgramFolder } from "./program-folder.ts";
import { findChromium, findFfmpeg } from "./programs.ts";

/** Something that is missing or broken on this machine, its consequence, and the remedy. */
export interface CaptureProblem {
  readonly text: string;
  readonly advice: string;
}

const problems = {
  chromium_missing: {
    text: "There is no Chromium or Google Chrome on this machine. Nothing is recorded.",
    advice:
      'Install one (on Debian: "apt install chromium-headless-shell"), or set CHROMIUM to its path.',
  },
  chromium_fails: {
    text: "Chromium does not start. Nothing is recorded.",
    advice: "Start it with --headless as the user of the service to see why.",
  },
  h264_missing: {
    text: "This Chromium cannot write H.264. Nothing is recorded.",
    advice: "Set CHROMIUM to one that can, such as Google Chrome or Debian's chromium.",
  },
  ffmpeg_missing: {
    text: "There is no ffmpeg on this machine. Nothing is recorded.",
    advice: 'Install it (on Debian: "apt install ffmpeg"), or set FFMPEG to its path.',
  },
  aac_missing: {
    text: "This ffmpeg has no encoder aac. Nothing is recorded.",
    advice: "Set FFMPEG to one that has it, such as Debian's ffmpeg.",
  },
  libx264_missing: {
    text: "This ffmpeg has no encoder libx264. Recordings are in their largest size only.",
    advice: "Set FFMPEG to one that has it, such as Debian's ffmpeg.",
  },
} as const satisfies Readonly<Record<string, CaptureProblem>>;

const SUPPORTED = 'MediaRecorder.isTypeSupported("video/x-matroska;codecs=avc1,opus")';

/** The scripts that the browser paints as boxes. */
const fontsMissing = (missing: readonly Script[]): readonly CaptureProblem[] => {
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name).join(", ");
  const packages = [...new Set(missing.map((script) => script.package))].join(" ");
  return [
    {
      text: `This machine has no fonts for ${names}. Recordings and live streams show boxes in their place.`,
      advice: `Install them (on Debian: "apt install ${packages}").`,
    },
  ];
};

const tryBrowser = async (program: string): Promise<readonly CaptureProblem[]> => {
  const profile = await newProgramFolder();
  try {
    const browser = await launchBrowser({ program, folder: profile.path, hosts: [] });
    try {
      await profile.take(browser.pid);
      if ((await browser.evaluate(SUPPORTED)) !== true) return [problems.h264_missing];
      return fontsMissing(await missingScripts(browser));
    } finally {
      await browser.close();
    }
  } catch {
    return [problems.chromium_fails];
  } finally {
    await profile.remove();
  }
};

/** The codecs that recordings need and this ffmpeg lacks. */
const tryFfmpeg = async (program: string): Promise<readonly CaptureProblem[]> => {
  const listed = await promisify(execFile)(program, ["-hide_banner", "-encoders"], {
    timeout: 30_000,
    // Also ends one that stands still.
    killSignal: "SIGKILL",
  }).catch(() => undefined);
  if (listed === undefined) return [problems.ffmpeg_missing];
  // Each line: flags, name, description.
  const has = (encoder: string): boolean =>
    listed.stdout.split("\n").some((line) => line.trim().split(/\s+/)[1] === encoder);
  return [
    ...(has("aac") ? [] : [problems.aac_missing]),
    ...(has("libx264") ? [] : [problems.libx264_missing]),
  ];
};

/**
 * The problems that prevent recording, streaming or transcribing on this machine, wholly or in part. Starts
 * the browser once.
 */
export const captureProblems = async (
  config: CaptureConfig,
): Promise<readonly CaptureProblem[]> => {
  const chromium = findChromium(config);
  const ffmpeg = findFfmpeg(config);
  return [
    ...(chromium === undefined ? [problems.chromium_missing] : await tryBrowser(chromium)),
    ...(ffmpeg === undefined ? [problems.ffmpeg_missing] : await tryFfmpeg(ffmpeg)),
  ];
};
