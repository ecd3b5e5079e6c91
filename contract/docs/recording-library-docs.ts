import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import type { RecordingMedia } from "../recordings/library.ts";
import type { RecordingLink } from "../recordings/links.ts";
import { brandMeaning } from "./brand-docs.ts";
import type { MeaningsOf } from "./kit.ts";
import { recordingMeanings as recording } from "./recording-docs.ts";

/*
 * Descriptions of the operations on finished recordings and meanings of their answers' fields, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type LibraryOperation =
  | "listRecordings"
  | "fetchRecording"
  | "openRecording"
  | "downloadRecording"
  | "renameRecording"
  | "deleteRecording"
  | "createRecordingLink"
  | "listRecordingLinks"
  | "revokeRecordingLink"
  | "openRecordingLink"
  | "downloadRecordingLink";

const whoMay =
  "For administrators, access keys and the room's owners; every other recording is answered as unknown.";

export const libraryDescriptions: Readonly<Record<LibraryOperation, string>> = {
  listRecordings:
    "Returns one page of the recordings, newest first, those that are being made included. A person who is not an administrator gets only those of rooms that the person owns.",
  fetchRecording: `Returns one recording. ${whoMay}`,
  openRecording: `Sets a cookie that opens the files of this recording, and nothing else, for an hour, and answers the address of what plays it: a playlist (hls) or a file (mp4), with byte ranges. The cookie ends earlier with the caller's rights, and when the person signs out. ${whoMay}`,
  downloadRecording: `Sets the same cookie as openRecording, and returns the address of the recording as one file. The first request for an hls recording makes the file: the answer is 202 with null, and later calls return the address. Each resolution is a file of its own. ${whoMay}`,
  renameRecording: `Gives a recording another name. ${whoMay}`,
  deleteRecording: `Deletes a recording with its links. This cannot be undone. Its files are erased at once, or as soon as their store answers. Refuses a recording that is still being made. ${whoMay}`,
  createRecordingLink: `Makes a link that plays a recording without signing in, for everybody who has it, until it ends or is revoked. With \`allows\` it also gives captions, or captions and the file. The link is answered once and cannot be read again. ${whoMay}`,
  listRecordingLinks: `Returns the links of a recording that have not ended, revoked ones included, newest first; never their codes. ${whoMay}`,
  revokeRecordingLink: `Ends a link at once, also for people who are watching. ${whoMay}`,
  openRecordingLink:
    "Sets a cookie that opens the files of the link's recording, and nothing else, until the link ends, and answers what plays them, with captions where the link allows them. Refuses links that have ended or were revoked.",
  downloadRecordingLink:
    "Does for everybody who has a link what downloadRecording does for its owners. Refused unless the link allows downloads.",
};

const { recordingId, name, startedAt, seconds, resolutions } = recording;

const media: { readonly is: string; readonly fields: MeaningsOf<RecordingMedia> } = {
  is: "What plays the recording.",
  fields: {
    url: "The path of the playlist or file. It needs the cookie that comes with this answer.",
    format: "hls: a playlist; mp4: one file.",
    sizes: {
      is: "Of mp4, the file of each size, the largest first; empty for hls, whose playlist names its sizes, and for sound alone.",
      fields: { resolution: "The size.", url: "The path of its file." },
    },
    expiresAt: "When the cookie ends: ISO 8601, UTC. Call again to go on.",
  },
};

const link: MeaningsOf<RecordingLink> = {
  linkId: "The ID of the link.",
  recordingId,
  allows: "play; captions: also what was said; download: also the file.",
  createdBy: "The name of who made it; empty for an access key.",
  createdAt: "When it was made: ISO 8601, UTC.",
  expiresAt: "When it ends: ISO 8601, UTC.",
  revokedAt: "When it was revoked: ISO 8601, UTC; null while it plays.",
};

const download = {
  is: "The recording as one file; null while it is being made.",
  fields: {
    url: "The path of the file. It needs the cookie that comes with this answer.",
    bytes: "The size of the file.",
    expiresAt: "When the cookie ends: ISO 8601, UTC.",
  },
};

type Answered = { readonly [K in LibraryOperation]: MeaningsOf<Reply<Operations[K]>> };

/** @param pagination what the pagination fields mean */
export const libraryFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): Answered => ({
  listRecordings: {
    recordings: { is: "The recordings on the page, newest first.", fields: recording },
    pagination,
  },
  fetchRecording: { recording: { is: "The recording.", fields: recording } },
  openRecording: { media },
  downloadRecording: { download },
  renameRecording: { recording: { is: "The recording as it is now.", fields: recording } },
  deleteRecording: {},
  createRecordingLink: {
    link: {
      is: "The new link.",
      fields: { ...link, url: "The link. Returned only once." },
    },
  },
  listRecordingLinks: { links: { is: "The links, newest first.", fields: link } },
  revokeRecordingLink: {},
  openRecordingLink: {
    recording: {
      is: "The recording.",
      fields: {
        name,
        startedAt,
        seconds,
        resolutions,
        allows: "What the link allows.",
        captions:
          "What was said while it was recorded, as WebVTT; null where the link does not allow it, or nothing was written down.",
        media,
      },
    },
    brand: brandMeaning,
  },
  downloadRecordingLink: { download },
});
