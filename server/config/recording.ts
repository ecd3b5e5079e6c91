import { availableParallelism } from "node:os";
import { converted, either, wholeNumber, word } from "../../contract/kit/accepted.ts";
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
      "How many recordings, live streams and transcriptions are made at once, together; the next ones wait. A recording or live stream takes half a core to a whole one. auto is half of the cores, at least 1; 0 makes none.",
    ...either(word("auto", half()), wholeNumber({ from: 0, to: 64 })),
  }),
  recordingFree: define({
    name: "RECORDING_FREE_MB",
    default: "500",
    meaning:
      "The free space on the disk of DATA_DIR, in megabytes, below which a recording ends and none begins, and sizes and downloads are skipped.",
    ...converted(wholeNumber({ from: 1, to: 1_000_000 }), (megabytes) => megabytes * 1_000_000),
  }),
};

export const readRecording = ({
  value,
}: Pick<ReturnType<typeof openReader>, "value">): RecordingConfig => ({
  recorders: value(recordingSettings.recorders),
  leastFree: value(recordingSettings.recordingFree),
});
