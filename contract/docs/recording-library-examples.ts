import type { Operations } from "../index.ts";
import type { RecordingMedia } from "../recordings/library.ts";
import type { RecordingLink } from "../recordings/links.ts";
import type { RecordingRecord } from "../recordings/record.ts";
import { exampleBrand } from "./brand-docs.ts";
import type { Example } from "./kit.ts";
import type { LibraryOperation } from "./recording-library-docs.ts";

/*
 * An example of every request and answer about finished recordings: one of the meeting in
 * meeting-examples.ts.
 */

const success = true;
const recordingId = "0199c2b1-5f08-7d21-94b7-3c8e0a6d5f19";
const linkId = "0199c2c4-1e63-7a90-8b5d-7f2c4e9a6d03";
const code = "b5Zr6Wn1cVq8TbY4kXo9SgJd5MfLh2PaUe7RiC0vKt3";
const origin = "https://parley.example.org";
const startedAt = "2026-01-14T15:01:10.240Z";
const expiresAt = "2026-01-14T17:05:12.480Z";

const recording: RecordingRecord = {
  recordingId,
  roomId: "4815162342",
  roomName: "Board meeting",
  meetingId: "0199c2b1-4c9a-7b15-8d34-6e2a9f0c5b71",
  name: "Budget 2026",
  startedAt,
  endedAt: "2026-01-14T15:46:02.117Z",
  seconds: 2691,
  bytes: 184_320_512,
  type: "av",
  format: "hls",
  resolutions: ["1080p"],
  state: "ready",
  startedBy: "Ann Example",
  error: null,
};
const media: RecordingMedia = {
  url: `/api/recording/media/${recordingId}/index.m3u8`,
  format: "hls",
  sizes: [],
  expiresAt,
};
const download = {
  url: `/api/recording/media/${recordingId}/download.mp4?download`,
  bytes: 183_911_040,
  expiresAt,
};
const link: RecordingLink = {
  linkId,
  recordingId,
  createdBy: "Ann Example",
  createdAt: "2026-01-14T16:05:12.480Z",
  expiresAt: "2026-01-21T16:05:12.480Z",
  allows: "download",
  revokedAt: null,
};

export const libraryExamples: { readonly [K in LibraryOperation]: Example<Operations[K]> } = {
  listRecordings: {
    request: { page: 1, limit: 25, state: "ready", search: "budget" },
    answer: {
      success,
      recordings: [recording],
      pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
    },
  },
  fetchRecording: { request: { recordingId }, answer: { success, recording } },
  openRecording: { request: { recordingId }, answer: { success, media } },
  downloadRecording: {
    request: { recordingId },
    answer: { success, download },
  },
  renameRecording: {
    request: { recordingId, name: recording.name },
    answer: { success, recording },
  },
  deleteRecording: { request: { recordingId }, answer: { success } },
  createRecordingLink: {
    request: { recordingId, days: 7, allows: "download" },
    answer: { success, link: { ...link, url: `${origin}/r/${code}` } },
  },
  listRecordingLinks: { request: { recordingId }, answer: { success, links: [link] } },
  revokeRecordingLink: { request: { linkId }, answer: { success } },
  openRecordingLink: {
    request: { code },
    answer: {
      success,
      brand: exampleBrand,
      recording: {
        name: recording.name,
        startedAt,
        seconds: 2691,
        type: "av",
        resolutions: ["1080p"],
        allows: "download",
        captions: "WEBVTT\n\n00:00:04.000 --> 00:00:06.500\n<v Ann Example>Good afternoon.\n",
        media,
      },
    },
  },
  downloadRecordingLink: {
    request: { code, resolution: "1080p" },
    answer: { success, download },
  },
};
