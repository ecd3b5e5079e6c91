import { operations as o } from "../../contract/index.ts";
import { startRecording, stopRecording } from "../recordings/commands.ts";
import { type Route, scoped } from "./route.ts";

const ok = { success: true } as const;

/** The recordings of meetings. */
export const recordingRoutes = (): readonly Route[] => [
  scoped(o.startRecording, async ({ input, organization }) => ({
    ...ok,
    recording: await organization.change((c) => startRecording(c, input)),
  })),
  scoped(o.stopRecording, async ({ input, organization }) => ({
    ...ok,
    recording: await organization.change((c) => stopRecording(c, input)),
  })),
];
