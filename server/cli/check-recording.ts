import type { Config } from "../config/config.ts";
import { type Check, note, ok } from "./check.ts";

const name = "recording";

/** Whether meetings can be recorded on this machine. Starts the browser once. */
export const checkRecording = async (config: Config): Promise<Check[]> => {
  const { recorders } = config.recording;
  if (recorders === 0) return [ok(name, "off (RECORDERS is 0)")];
  const { captureProblems } = await import("../capture/problems.ts");
  const problems = await captureProblems(config.capture);
  if (problems.length === 0) {
    return [ok(name, `Chromium and ffmpeg can record; at most ${recorders} at once`)];
  }
  return problems.map(({ text, advice }) => note(name, text, advice));
};
