import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Input, Reply } from "../../contract/kit/operation.ts";
import type { getTranscript, searchTranscripts } from "../../contract/meetings/transcripts.ts";
import { parley } from "../kit/client.ts";

export type TranscriptRecord = Reply<typeof getTranscript>["transcript"];
export type FoundLine = Reply<typeof searchTranscripts>["found"][number];

/** The recording that a transcript accompanies. */
export interface Beside {
  /** The recording's beginning, which is second 0. */
  readonly from: string;
  /** The recording's length, in seconds; later words are skipped. */
  readonly seconds: number;
}

/** A meeting's transcript, alone or with a recording. */
export const useTranscript = (meetingId: string, beside?: Beside) =>
  useQuery({
    queryKey: ["transcript", meetingId, beside?.from, beside?.seconds],
    queryFn: async ({ signal }) => {
      const end = beside && Date.parse(beside.from) + beside.seconds * 1000;
      const part = beside && end && { from: beside.from, to: new Date(end).toISOString() };
      return (await parley.getTranscript({ meetingId, ...(part || {}) }, { signal })).transcript;
    },
  });

/** Search results from all meetings, newest first; sends no request without a search. */
export const useFoundLines = (asked: Input<typeof searchTranscripts>) =>
  useQuery({
    queryKey: ["found lines", asked],
    queryFn: ({ signal }) => parley.searchTranscripts(asked, { signal }),
    placeholderData: keepPreviousData,
    enabled: asked.search !== "",
  });

/** The recording of some words, and their second in it; null if there is none. */
export const useRecordingOf = ({ meetingId, roomId, startedAt }: FoundLine) =>
  useQuery({
    queryKey: ["recording of a line", meetingId, startedAt],
    queryFn: async ({ signal }) => {
      // The newest recording that began earlier: a room has one at a time.
      const { recordings } = await parley.listRecordings(
        { roomId, state: "ready", to: startedAt, page: 1, limit: 10 },
        { signal },
      );
      const recording = recordings.find((one) => one.meetingId === meetingId);
      const at = (Date.parse(startedAt) - Date.parse(recording?.startedAt ?? "")) / 1000;
      return recording && at < (recording.seconds ?? 0)
        ? { recordingId: recording.recordingId, at: Math.floor(at) }
        : null;
    },
  });
