import { z } from "zod";
import {
  choice,
  dateTime,
  id,
  instant,
  pathId,
  pathLink,
  spanOfTime,
  textField,
} from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { cutLimit, pagination, queryPage, search, sentPage } from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";
import { recordingResolutions } from "../rooms/settings.ts";
import { RECORDING_NAME, recordingRecord, recordingStates } from "./record.ts";

/*
 * Parley's own operations on existing recordings: for administrators, access keys and the owners of their
 * rooms. Links to them are in recording-links.ts.
 */

const recordings = { group: "Recordings", failure: "message", access: "token" } as const;

const recordingId = () => id().describe("The ID of the recording.");

const list = z.object({
  page: queryPage,
  limit: cutLimit.taken,
  roomId: textField(128).optional().describe("Only recordings of this room."),
  userFilter: textField(128, { pasted: true })
    .optional()
    .describe("Only recordings of rooms that this person owns: a user ID."),
  state: choice(recordingStates).optional().describe("Only recordings in this state."),
  from: dateTime().optional().describe("Only recordings that began at this time or later."),
  to: dateTime().optional().describe("Only recordings that began before this time."),
  search: search.describe("A literal part of the recording's or room's name, in any case."),
});

export const listRecordings = operation({
  ...recordings,
  id: "listRecordings",
  compressed: "always",
  method: "GET",
  path: "/api/recording/paginated",
  summary: "The recordings, newest first",
  in: "query",
  input: list.check(spanOfTime),
  sent: list.extend({ page: sentPage, limit: cutLimit.sent }),
  reply: success({ recordings: z.array(recordingRecord), pagination }),
  status: 200,
  refusals: [],
});

export const fetchRecording = operation({
  ...recordings,
  id: "fetchRecording",
  method: "GET",
  path: "/api/recording/:recordingId",
  summary: "One recording",
  in: "path",
  input: z.object({ recordingId: pathId().describe("The ID of the recording.") }),
  reply: success({ recording: recordingRecord }),
  status: 200,
  refusals: ["recording_not_found"],
});

export const renameRecording = operation({
  ...recordings,
  id: "renameRecording",
  changes: true,
  method: "PUT",
  path: "/api/recording",
  summary: "Rename a recording",
  in: "body",
  input: z.object({
    recordingId: recordingId(),
    name: textField(RECORDING_NAME, { required: says("required"), shown: "line" }).describe(
      "The new name.",
    ),
  }),
  reply: success({ recording: recordingRecord }),
  status: 200,
  refusals: ["recording_not_found"],
});

export const deleteRecording = operation({
  ...recordings,
  id: "deleteRecording",
  fresh: "always",
  changes: true,
  method: "DELETE",
  path: "/api/recording/:recordingId",
  summary: "Delete a recording with its files and links",
  in: "path",
  input: z.object({ recordingId: pathId().describe("The ID of the recording.") }),
  reply: success({}),
  status: 200,
  refusals: ["recording_not_found", "recording_running"],
});

/** Plays a recording while the accompanying cookie is valid. */
export const recordingMedia = z
  .strictObject({
    url: pathLink(),
    format: recordingRecord.shape.format,
    /** For mp4, the file of each size, the largest first; an hls playlist names its own files. */
    sizes: z.array(
      z
        .strictObject({ resolution: z.enum(recordingResolutions), url: pathLink() })
        .meta({ title: "RecordingFile" }),
    ),
    expiresAt: instant(),
  })
  .meta({ title: "RecordingMedia" });
export type RecordingMedia = z.output<typeof recordingMedia>;

export const openRecording = operation({
  ...recordings,
  id: "openRecording",
  scope: "read",
  method: "POST",
  path: "/api/recording/media",
  summary: "Open a recording, to play it",
  in: "body",
  input: z.object({ recordingId: recordingId() }),
  reply: success({ media: recordingMedia }),
  status: 200,
  refusals: ["recording_not_found", "recording_not_ready"],
});

export const downloadRecording = operation({
  ...recordings,
  id: "downloadRecording",
  scope: "read",
  method: "POST",
  path: "/api/recording/download",
  summary: "Get the address of a recording as one file",
  in: "body",
  input: z.object({
    recordingId: recordingId(),
    resolution: choice(recordingResolutions)
      .optional()
      .describe("One of the recording's resolutions; the largest by default."),
  }),
  reply: success({
    download: z
      .strictObject({ url: pathLink(), bytes: z.int(), expiresAt: instant() })
      .meta({ title: "RecordingDownload" })
      .nullable(),
  }),
  status: 200,
  otherStatus: { status: 202, when: "the file is being made; ask again" },
  refusals: [
    "recording_not_found",
    "recording_not_ready",
    "recording_size_missing",
    "recording_files_missing",
    "disk_full",
    "recorder_missing",
    "recordings_unavailable",
  ],
});
