import { z } from "zod";
import { dateTime, instant, pathId, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { pagination, queryLimit, queryPage, sentLimit, sentPage } from "../kit/pages.ts";
import { asLine } from "../kit/plain.ts";
import { says } from "../kit/reasons.ts";
import { roomId } from "./meetings.ts";

/* Parley's own operations: spoken words as text. */

/** The inputs of what moderators do, without the room. */
export const transcribing = {
  startTranscription: z.object({}),
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

/** What somebody said without a longer pause. */
export const spoken = z
  .strictObject({
    startedAt: instant(),
    endedAt: instant(),
    peerId: z.string(),
    /** Empty once the person was deleted permanently. */
    peerName: z.string(),
    text: z.string(),
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
  limit: queryLimit,
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
  sent: searched.extend({ page: sentPage, limit: sentLimit }),
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

const two = (value: number): string => String(value).padStart(2, "0");

/** Hours, minutes, seconds and thousandths (W3C WebVTT, 4.2). */
const vttTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two);
  return `${clock.join(":")}.${String(ms % 1000).padStart(3, "0")}`;
};

/** On one line, so that nothing in it begins a line of its own. */
const oneLine = (text: string): string => asLine(text).replace(/\s+/g, " ");

/** Text for a WebVTT cue: without markup or empty lines. */
const vttText = (text: string): string =>
  oneLine(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Line extends Pick<Spoken, "peerName" | "text"> {
  readonly from: number;
  readonly to: number;
}

/** The captions between two moments, with milliseconds from the first moment. */
const linesFrom = (all: readonly Spoken[], zero: string, end?: string): readonly Line[] =>
  all.flatMap(({ startedAt, endedAt, peerName, text }) => {
    if (end !== undefined && Date.parse(startedAt) >= Date.parse(end)) return [];
    const [from, to] = [
      Date.parse(startedAt) - Date.parse(zero),
      Date.parse(endedAt) - Date.parse(zero),
    ];
    return to <= 0 ? [] : [{ peerName, text, from: Math.max(0, from), to }];
  });

/** WebVTT with the speakers' names (W3C WebVTT, voice spans). */
export const webVttOf = (all: readonly Spoken[], zero: string, end?: string): string =>
  [
    "WEBVTT",
    ...linesFrom(all, zero, end).map(({ from, to, peerName, text }) => {
      const speaker = vttText(peerName);
      const voice = speaker === "" ? "" : `<v ${speaker}>`;
      return `${vttTime(from)} --> ${vttTime(to)}\n${voice}${vttText(text)}`;
    }),
  ]
    .join("\n\n")
    .concat("\n");

/** One line per caption, with its time and its speaker. */
export const plainOf = (all: readonly Spoken[], zero: string, end?: string): string =>
  linesFrom(all, zero, end)
    .map(({ from, peerName, text }) => {
      const [clock] = vttTime(from).split(".");
      const speaker = oneLine(peerName);
      return `[${clock}] ${speaker === "" ? "" : `${speaker}: `}${oneLine(text)}\n`;
    })
    .join("");
