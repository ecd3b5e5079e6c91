import { z } from "zod";
import { id, pathId, textField, whole } from "./fields.ts";
import { operation, success } from "./operation.ts";
import { recordingMedia } from "./recording-library.ts";
import { recordingRecord } from "./recording-record.ts";

/*
 * Operations of Parley's own: links that play one recording for everybody who has them, until they end.
 */

const links = { group: "Recordings", failure: "message", access: "token" } as const;

/** The longest life of a link, and the usual one. */
const MOST_DAYS = 365;
const USUAL_DAYS = 7;

const link = z.strictObject({
  linkId: z.string(),
  recordingId: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
});
export type RecordingLink = z.output<typeof link>;

export const createRecordingLink = operation({
  ...links,
  id: "createRecordingLink",
  changes: true,
  method: "POST",
  path: "/api/recording/link",
  summary: "Make a link that plays a recording; it is shown this once",
  in: "body",
  input: z.object({
    recordingId: id("recordingId is required.").describe("The ID of the recording."),
    days: whole(1, MOST_DAYS)
      .default(USUAL_DAYS)
      .describe(`After how many days the link ends: 1 to ${MOST_DAYS}, default ${USUAL_DAYS}.`),
  }),
  reply: success({ link: link.extend({ url: z.string() }) }),
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

const { name, startedAt, seconds, type } = recordingRecord.shape;

export const openRecordingLink = operation({
  ...links,
  access: "anyone",
  id: "openRecordingLink",
  method: "POST",
  path: "/api/recording/watch",
  summary: "Open what a link plays",
  in: "body",
  input: z.object({
    code: textField(128, { required: "code is required." }).describe("The code of the link."),
  }),
  reply: success({
    recording: z.strictObject({ name, startedAt, seconds, type, media: recordingMedia }),
  }),
  status: 200,
  refusals: ["recording_link_not_found", "link_ended", "too_many_requests"],
});
