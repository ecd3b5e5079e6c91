import { operations as o } from "../../contract/index.ts";
import { startRecording, stopRecording } from "../recordings/commands.ts";
import { changing, type Route } from "./route.ts";

const ok = { success: true } as const;

export const recordingRoutes = (): readonly Route[] => [
  changing(o.startRecording, ({ input }) => ({
    rule: (change) => startRecording(change, input),
    answer: (recording) => ({ ...ok, recording }),
  })),
  changing(o.stopRecording, ({ input }) => ({
    rule: (change) => stopRecording(change, input),
    answer: (recording) => ({ ...ok, recording }),
  })),
];
