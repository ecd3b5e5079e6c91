import { z } from "zod";
import { choice, id, instant, pastedId, pathId, webLink, whole } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { brand } from "../organization/brand.ts";
import { downloadRecording, recordingMedia } from "./library.ts";
import { recordingRecord } from "./record.ts";

/* Parley's own operations: links that play one recording for anybody, until they end. */

const links = { group: "Recordings", failure: "message", access: "token" } as const;

/** The longest and the default life of a link. */
const MOST_DAYS = 365;
const USUAL_DAYS = 7;

/** The rights that a link gives; each word includes those before it. */
export const linkRights = ["play", "captions", "download"] as const;
export type LinkRight = (typeof linkRights)[number];

const named = { title: "RecordingLink" } as const;
const link = z
  .strictObject({
    linkId: z.string(),
    recordingId: z.string(),
    allows: z.enum(linkRights),
    createdBy: z.string(),
    createdAt: instant(),
    expiresAt: instant(),
    revokedAt: instant().nullable(),
  })
  .meta(named);
export type RecordingLink = z.output<typeof link>;

export const createRecordingLink = operation({
  ...links,
  id: "createRecordingLink",
  changes: true,
  method: "POST",
  path: "/api/recording/link",
  summary: "Make a link that plays a recording; it is shown only once",
  in: "body",
  input: z.object({
    recordingId: id().describe("The ID of the recording."),
    days: whole(1, MOST_DAYS)
      .default(USUAL_DAYS)
      .describe(`After how many days the link ends: 1 to ${MOST_DAYS}, default ${USUAL_DAYS}.`),
    allows: choice(linkRights)
      .default("play")
      .describe(
        "play (default); captions: also what was said, with the speakers' names; download: also the file.",
      ),
  }),
  reply: success({ link: link.extend({ url: webLink() }).meta(named) }),
  status: 201,
  refusals: ["recording_not_found", "recording_not_ready"],
});

export const listRecordingLinks = operation({
  ...links,
  id: "listRecordingLinks",
  method: "GET",
  path: "/api/recording/link/:recordingId",
  summary: "The links of a recording that have not ended",
  in: "path",
  input: z.object({ recordingId: pathId().describe("The ID of the recording.") }),
  reply: success({ links: z.array(link) }),
  status: 200,
  refusals: ["recording_not_found"],
});

export const revokeRecordingLink = operation({
  ...links,
  id: "revokeRecordingLink",
  changes: true,
  method: "DELETE",
  path: "/api/recording/link/:linkId",
  summary: "End a link at once",
  in: "path",
  input: z.object({ linkId: pathId().describe("The ID of the link.") }),
  reply: success({}),
  status: 200,
  refusals: ["recording_link_not_found"],
});

const { name, startedAt, seconds, type, resolutions } = recordingRecord.shape;
const code = pastedId().describe("The code of the link.");

export const openRecordingLink = operation({
  ...links,
  access: "anyone",
  id: "openRecordingLink",
  method: "POST",
  path: "/api/recording/watch",
  summary: "Open what a link plays",
  in: "body",
  input: z.object({ code }),
  reply: success({
    recording: z
      .strictObject({
        name,
        startedAt,
        seconds,
        type,
        resolutions,
        allows: link.shape.allows,
        /** WebVTT; null if the link does not allow it or nobody said anything. */
        captions: z.string().nullable(),
        media: recordingMedia,
      })
      .meta({ title: "WatchedRecording" }),
    brand,
  }),
  status: 200,
  refusals: ["recording_link_not_found", "link_ended", "too_many_requests"],
});

export const downloadRecordingLink = operation({
  ...links,
  access: "anyone",
  id: "downloadRecordingLink",
  method: "POST",
  path: "/api/recording/watch/download",
  summary: "Get the address of what a link plays as one file",
  in: "body",
  input: z.object({ code, resolution: downloadRecording.input.shape.resolution }),
  reply: downloadRecording.reply,
  status: 200,
  otherStatus: downloadRecording.otherStatus,
  refusals: [
    "recording_link_not_found",
    "link_ended",
    "download_not_allowed",
    "too_many_requests",
    "recording_size_missing",
    "recording_files_missing",
    "disk_full",
    "recorder_missing",
    "recordings_unavailable",
  ],
});
