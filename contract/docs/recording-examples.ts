import type { Operations } from "../index.ts";
import type { RecordingRecord } from "../recordings/record.ts";
import type { Example } from "./kit.ts";
import type { RecordingOperation } from "./recording-docs.ts";

/*
 * An example of every request and answer about recordings: one recording in the room of examples.ts.
 */

const success = true;
const roomId = "4815162342";

/** A recording that plays. */
export const recordingExample: RecordingRecord = {
  recordingId: "0199c2b1-5e31-7a94-b6c2-3d8f1a7e4b90",
  roomId,
  roomName: "Board meeting",
  meetingId: "0199c2b1-4c9a-7b15-8d34-6e2a9f0c5b71",
  name: "Board meeting",
  startedAt: "2026-01-14T15:01:10.204Z",
  endedAt: "2026-01-14T15:46:52.871Z",
  seconds: 2743,
  bytes: 411_520_338,
  type: "av",
  format: "mp4",
  resolutions: ["1080p", "480p"],
  state: "ready",
  startedBy: "Ann Example",
  error: null,
};

const ended = { endedAt: null, seconds: null, bytes: null } as const;
const queued = { ...recordingExample, ...ended, startedAt: null, state: "queued" } as const;

export const recordingExamples: {
  readonly [K in RecordingOperation]: Example<Operations[K]>;
} = {
  startRecording: {
    request: { roomId, recordingType: "av", resolutions: ["1080p", "480p"] },
    answer: { success, recording: queued },
  },
  stopRecording: {
    request: { roomId },
    answer: { success, recording: { ...recordingExample, ...ended, state: "active" } },
  },
};
