import { z } from "zod";
import { choice, dateTime, instant, pathId, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { cutLimit, pagination, queryPage, sentPage } from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";
import { speechLanguages } from "../kit/speech-languages.ts";
import { roomId } from "./meetings.ts";

/* Parley's own operations: spoken words as text. */

/** The inputs of what moderators do, without the room. */
export const transcribing = {
  startTranscription: z.object({
    language: choice(speechLanguages)
      .nullable()
      .optional()
      .describe(
        "The spoken language, if the speech engine accepts one; null: the engine detects it. By default that of the organization (`speechLanguage`).",
      ),
  }),
  stopTranscription: z.object({}),
} as const;

const transcripts = {
  group: "Transcripts",
  failure: "message",
  access: "token",
  status: 200,
} as const;
const ofRoom = { roomId: roomId().describe("The room ID.") };

export const startTranscription = operation({
  ...transcripts,
  id: "startTranscription",
  changes: true,
  method: "POST",
  path: "/api/transcription/startTranscription",
  summary: "Transcribe a running meeting",
  in: "body",
  input: transcribing.startTranscription.extend(ofRoom),
  reply: success({}),
  refusals: [
    "room_not_found",
    "no_meeting",
    "transcription_off",
    "transcription_active",
    "speech_missing",
    "recorder_missing",
  ],
});

export const stopTranscription = operation({
  ...transcripts,
  id: "stopTranscription",
  changes: true,
  method: "POST",
  path: "/api/transcription/stopTranscription",
  summary: "End the transcription of a meeting",
  in: "body",
  input: transcribing.stopTranscription.extend(ofRoom),
  reply: success({}),
  refusals: ["room_not_found"],
});

/** The words that somebody said without a longer pause. */
export const spoken = z
  .strictObject({
    startedAt: instant(),
    endedAt: instant(),
    peerId: z.string(),
    /** Empty once the person was deleted permanently. */
    peerName: z.string(),
    text: z.string(),
    language: z.string().optional(),
  })
  .meta({ title: "Spoken" });
export type Spoken = z.output<typeof spoken>;

export const getTranscript = operation({
  ...transcripts,
  id: "getTranscript",
  compressed: "always",
  method: "GET",
  path: "/api/transcription/transcript",
  summary: "What was said in a meeting",
  in: "query",
  input: z.object({
    meetingId: textField(128, { required: says("required") }).describe("The ID of the meeting."),
    from: dateTime()
      .optional()
      .describe(
        "The moment that is 0 in `webVtt` and `plain`, such as a recording's `startedAt`; the beginning of the meeting by default. Both skip earlier speech.",
      ),
    to: dateTime()
      .optional()
      .describe(
        "Speech that begins at this time or later is skipped in `webVtt` and `plain`; by default nothing is.",
      ),
  }),
  reply: success({
    transcript: z
      .strictObject({
        meetingId: z.string(),
        roomId: z.string(),
        roomName: z.string(),
        startedAt: instant(),
        spoken: z.array(spoken),
        webVtt: z.string(),
        plain: z.string(),
      })
      .meta({ title: "Transcript" }),
  }),
  refusals: ["meeting_not_found"],
});

const searched = z.object({
  page: queryPage,
  limit: cutLimit.taken,
  search: textField(200, { required: says("required"), pasted: true }).describe(
    "A literal part of what was said, in any case.",
  ),
  roomId: textField(128).optional().describe("Only what was said in this room."),
});

export const searchTranscripts = operation({
  ...transcripts,
  id: "searchTranscripts",
  compressed: "always",
  method: "GET",
  path: "/api/transcription/paginated",
  summary: "Find what was said, newest first",
  in: "query",
  input: searched,
  sent: searched.extend({ page: sentPage, limit: cutLimit.sent }),
  reply: success({
    found: z.array(
      spoken
        .extend({ meetingId: z.string(), roomId: z.string(), roomName: z.string() })
        .meta({ title: "FoundSpeech" }),
    ),
    pagination,
  }),
  refusals: [],
});

export const deleteTranscript = operation({
  ...transcripts,
  id: "deleteTranscript",
  fresh: "always",
  changes: true,
  method: "DELETE",
  path: "/api/transcription/:meetingId",
  summary: "Delete what was said in a meeting",
  in: "path",
  input: z.object({ meetingId: pathId().describe("The ID of the meeting.") }),
  reply: success({}),
  refusals: ["meeting_not_found"],
});
