import type { Operations } from "../index.ts";
import { plainOf, webVttOf } from "../meetings/transcript-files.ts";
import type { Example } from "./kit.ts";
import type { TranscriptOperation } from "./transcript-docs.ts";

/*
 * An example of every request and answer about transcripts, for the meeting in meeting-examples.ts.
 */

const success = true;
const roomId = "4815162342";
const roomName = "Board meeting";
const meetingId = "0199c2b1-4c9a-7b15-8d34-6e2a9f0c5b71";
const startedAt = "2026-01-14T15:00:03.112Z";

const spoken = [
  {
    startedAt: "2026-01-14T15:01:20.012Z",
    endedAt: "2026-01-14T15:01:23.480Z",
    peerId: "0199c2b1-4d20-7c83-a5e6-1f9b3d7c8a42",
    peerName: "Ann Example",
    text: "Let us begin with the budget.",
    language: "en",
  },
];

export const transcriptExamples: {
  readonly [K in TranscriptOperation]: Example<Operations[K]>;
} = {
  startTranscription: { request: { roomId, language: "en" }, answer: { success } },
  stopTranscription: { request: { roomId }, answer: { success } },
  getTranscript: {
    request: { meetingId },
    answer: {
      success,
      transcript: {
        meetingId,
        roomId,
        roomName,
        startedAt,
        spoken,
        webVtt: webVttOf(spoken, startedAt),
        plain: plainOf(spoken, startedAt),
      },
    },
  },
  searchTranscripts: {
    request: { search: "budget", page: 1, limit: 25 },
    answer: {
      success,
      found: spoken.map((one) => ({ ...one, meetingId, roomId, roomName })),
      pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
    },
  },
  deleteTranscript: { request: { meetingId }, answer: { success } },
};
