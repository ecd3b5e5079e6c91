import { defineOptional, type openReader } from "./config-setting.ts";

/** The programs that record and stream meetings. */
export interface CaptureConfig {
  /** The path of Chromium's program; undefined: searched. */
  readonly chromium: string | undefined;
  /** The path of ffmpeg's program; undefined: searched. */
  readonly ffmpeg: string | undefined;
  /** The folders in which programs are searched, as PATH has them. */
  readonly path: string;
}

export const captureSettings = {
  chromium: defineOptional({
    name: "CHROMIUM",
    unset: "none: chromium or google-chrome on the PATH, and where they are usually installed",
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

/** Reads the settings of captures. */
export const readCapture = (
  { optional }: Pick<ReturnType<typeof openReader>, "optional">,
  path: string,
): CaptureConfig => ({
  chromium: optional(captureSettings.chromium),
  ffmpeg: optional(captureSettings.ffmpeg),
  path,
});
