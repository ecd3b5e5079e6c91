import { availableParallelism } from "node:os";
import { define, type openReader } from "./setting.ts";

/** How meetings are recorded. */
export interface RecordingConfig {
  /** How many recordings, live streams and transcriptions this process makes at once. */
  readonly recorders: number;
  /**
   * With less free space than this on the disk of DATA_DIR, in bytes, recordings end, and no smaller
   * sizes and downloads are made from them.
   */
  readonly leastFree: number;
}

const half = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

export const recordingSettings = {
  recorders: define({
    name: "RECORDERS",
    default: "auto",
    meaning:
      "How many recordings, live streams and transcriptions are made at once, all counted together; the next ones wait. A recording or a live stream takes half a core to a whole one. auto is half of the cores, at least 1; 0 makes none.",
    accepted: "auto, or a whole number from 0 to 64",
    parse: (text: string) => {
      if (text === "auto") return half();
      return /^\d{1,2}$/.test(text) && Number(text) <= 64 ? Number(text) : undefined;
    },
  }),
  recordingFree: define({
    name: "RECORDING_FREE_MB",
    default: "500",
    meaning:
      "The free space on the disk of DATA_DIR, in megabytes, below which a recording ends and none begins. Smaller sizes and downloads that would leave less are skipped.",
    accepted: "a whole number from 1 to 1000000",
    parse: (text: string) =>
      /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000_000
        ? Number(text) * 1_000_000
        : undefined,
  }),
};

export const readRecording = ({
  value,
}: Pick<ReturnType<typeof openReader>, "value">): RecordingConfig => ({
  recorders: value(recordingSettings.recorders),
  leastFree: value(recordingSettings.recordingFree),
});
