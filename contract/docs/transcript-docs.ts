import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import type { Spoken } from "../meetings/transcripts.ts";
import type { MeaningsOf } from "./kit.ts";
import { points, whoModerates } from "./kit.ts";

/*
 * Descriptions of the operations of transcripts and meanings of their answers' fields, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type TranscriptOperation =
  | "startTranscription"
  | "stopTranscription"
  | "getTranscript"
  | "searchTranscripts"
  | "deleteTranscript";

const whoReads =
  "For administrators, access keys and the room's owners; meetings of every other room are answered as unknown.";

export const transcriptDescriptions: Readonly<Record<TranscriptOperation, string>> = {
  startTranscription: points(
    "Transcribes a running meeting, until it ends, is stopped, or the room's settings forbid it. The room needs `enableTranscription`, the installation a speech engine.",
    "People inside see captions, and everybody who opens the link sees that the meeting is transcribed.",
    "With `enableRecording`, the transcript keeps only words of recorded roles (`recordModerator`, `recordParticipant`).",
    "When every recorder is busy, it waits.",
    whoModerates,
  ),
  stopTranscription: `Ends the transcription; what was said stays. Nothing happens where there is none. ${whoModerates}`,
  getTranscript: `Returns what was said in a meeting, in order, also as WebVTT and as plain text. Of a running meeting, what was said until now. The names of people who are deleted permanently are empty. ${whoReads}`,
  searchTranscripts:
    "Returns one page of what was said with these words in it, newest first. A person who is not an administrator gets only what was said in rooms that the person owns.",
  deleteTranscript: `Deletes what was said in a meeting. This cannot be undone. ${whoReads}`,
};

const said: MeaningsOf<Spoken> = {
  startedAt: "When it began to be said: ISO 8601, UTC.",
  endedAt: "When it was said: ISO 8601, UTC.",
  peerId: "The ID of the speaker's seat.",
  peerName: "The name of the speaker; empty once the person is deleted permanently.",
  text: "What was said, as the speech engine understood it.",
  language:
    "Its language (BCP 47): the one that was chosen, otherwise the one that the engine reports; omitted where it reports none.",
};
const place = {
  meetingId: "The ID of the meeting.",
  roomId: "The ID of the room.",
  roomName: "The name of the room.",
};

type Answered = { readonly [K in TranscriptOperation]: MeaningsOf<Reply<Operations[K]>> };

/** @param pagination what the pagination fields mean */
export const transcriptFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): Answered => ({
  startTranscription: {},
  stopTranscription: {},
  getTranscript: {
    transcript: {
      is: "What was said in the meeting.",
      fields: {
        ...place,
        startedAt: "When the first person came: ISO 8601, UTC.",
        spoken: { is: "What was said, in order.", fields: said },
        webVtt: "The same as WebVTT, with the speakers' names, for players.",
        plain: "The same as text, a line for each, with its time and its speaker.",
      },
    },
  },
  searchTranscripts: {
    found: { is: "What was found, newest first.", fields: { ...said, ...place } },
    pagination,
  },
  deleteTranscript: {},
});
