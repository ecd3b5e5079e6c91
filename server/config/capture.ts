import { defineOptional, type openReader } from "./setting.ts";

/** The programs that record and stream meetings. */
export interface CaptureConfig {
  /** The path of the Chromium program; undefined: Parley looks for it. */
  readonly chromium: string | undefined;
  /** The path of the ffmpeg program; undefined: Parley looks for it. */
  readonly ffmpeg: string | undefined;
  /** The folders in which to look for programs, in the format of PATH. */
  readonly path: string;
}

export const captureSettings = {
  chromium: defineOptional({
    name: "CHROMIUM",
    unset:
      "none: Debian's chromium-headless-shell, or chromium or google-chrome on the PATH or where they are usually installed",
    meaning: "The program of the browser that records, streams and transcribes meetings.",
    accepted: "the path of a file",
    parse: (text: string) => text,
  }),
  ffmpeg: defineOptional({
    name: "FFMPEG",
    unset: "none: ffmpeg on the PATH, and where it is usually installed",
    meaning: "The program of ffmpeg, which writes recordings and live streams.",
    accepted: "the path of a file",
    parse: (text: string) => text,
  }),
};

export const readCapture = (
  { optional }: Pick<ReturnType<typeof openReader>, "optional">,
  path: string,
): CaptureConfig => ({
  chromium: optional(captureSettings.chromium),
  ffmpeg: optional(captureSettings.ffmpeg),
  path,
});
