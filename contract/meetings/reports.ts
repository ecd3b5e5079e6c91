import { z } from "zod";
import { dateTime, flag, instant, pathId, spanOfTime, textField, webLink } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { cutLimit, pagination, queryPage, search, sentPage } from "../kit/pages.ts";
import { recordingRecord } from "../recordings/record.ts";
import { liveStream } from "./live.ts";
import { peerTypes, qualities, roomId, seats } from "./meetings.ts";
import { metadataOf, secondDevice } from "./metadata.ts";

/*
 * Parley's own operations on meetings, for administrators, access keys and a room's owners: who is inside,
 * which meetings were held, and the link that opens a room.
 */

const meetings = { group: "Meetings", failure: "message" } as const;

const peer = z
  .strictObject({
    peerId: z.string(),
    peerName: z.string(),
    peerType: z.enum(peerTypes),
    /** The account; null for a guest. */
    userId: z.string().nullable(),
    /** away: the connection is lost, but the seat is kept for a while. */
    state: z.enum(["claimed", "inside", "away"]),
    /** True if the media engine has a connection for their media; null in a direct meeting. */
    mediaConnected: z.boolean().nullable(),
    since: instant(),
    audio: z.boolean(),
    video: z.boolean(),
    share: z.boolean(),
    hand: z.boolean(),
    /** The quality of the connection, as the page reports it; null if unknown. */
    quality: z.enum(qualities).nullable(),
    /** From the person's invitation; omitted where it had none. */
    metadata: metadataOf(),
    secondDevice: secondDevice(),
  })
  .meta({ title: "Peer" });

export const getMeeting = operation({
  ...meetings,
  id: "getMeeting",
  method: "GET",
  path: "/api/meeting/:roomId",
  summary: "Who is inside a room now",
  access: "token",
  in: "path",
  input: z.object({ roomId: pathId().describe("The room ID.") }),
  reply: success({
    meeting: z
      .strictObject({
        /** null if nobody is there. */
        meetingId: z.string().nullable(),
        startedAt: instant().nullable(),
        roomStatus: z.string(),
        locked: z.boolean(),
        /** True if people enter with the microphone off. */
        mutesEntry: z.boolean(),
        /** null: it is not streamed live. */
        liveStream: liveStream.nullable(),
        /** True if it is transcribed now. */
        transcribing: z.boolean(),
        /** Newest first. */
        recordings: z.array(recordingRecord),
        seats,
        peers: z.array(peer),
        waiting: z.array(
          z
            .strictObject({
              peerId: z.string(),
              peerName: z.string(),
              since: instant(),
              metadata: metadataOf(),
            })
            .meta({ title: "WaitingPeer" }),
        ),
      })
      .meta({ title: "RunningMeeting" }),
  }),
  status: 200,
  refusals: ["room_not_found"],
});

const history = z.object({
  page: queryPage,
  limit: cutLimit.taken,
  roomId: textField(128).optional().describe("Only meetings of this room."),
  from: dateTime().optional().describe("Only meetings that began at this time or later."),
  to: dateTime().optional().describe("Only meetings that began before this time."),
  search: search.describe("A literal part of the room's name, in any case."),
});

export const listMeetings = operation({
  ...meetings,
  id: "listMeetings",
  compressed: "always",
  method: "GET",
  path: "/api/meeting/paginated",
  summary: "The meetings that were held, newest first",
  access: "token",
  in: "query",
  input: history.check(spanOfTime),
  sent: history.extend({ page: sentPage, limit: cutLimit.sent }),
  reply: success({
    meetings: z.array(
      z
        .strictObject({
          meetingId: z.string(),
          roomId: z.string(),
          roomName: z.string(),
          startedAt: instant(),
          endedAt: instant().nullable(),
          /** Seconds with somebody inside; for a running meeting, until now. */
          seconds: z.int(),
          /** How many people came. */
          people: z.int(),
          /** The average rating of the connection, from 1 to 5; null without one. */
          rating: z.number().nullable(),
          /** The number of ratings. */
          ratings: z.int(),
        })
        .meta({ title: "Meeting" }),
    ),
    pagination,
  }),
  status: 200,
  refusals: [],
});

export const getAttendance = operation({
  ...meetings,
  id: "getAttendance",
  compressed: "always",
  method: "GET",
  path: "/api/meeting/attendance/:meetingId",
  summary: "Who was in a meeting, and for how long",
  access: "token",
  in: "path",
  input: z.object({ meetingId: pathId().describe("The ID of the meeting.") }),
  reply: success({
    attendance: z.array(
      z
        .strictObject({
          peerId: z.string(),
          peerName: z.string(),
          peerType: z.enum(peerTypes),
          userId: z.string().nullable(),
          joinedAt: instant(),
          leftAt: instant().nullable(),
          seconds: z.int(),
          /** Why the seat ended; null while inside. */
          reason: z.string().nullable(),
          metadata: metadataOf(),
        })
        .meta({ title: "Attendance" }),
    ),
  }),
  status: 200,
  refusals: ["meeting_not_found"],
});

export const downloadAttendance = operation({
  ...meetings,
  id: "downloadAttendance",
  compressed: "always",
  method: "GET",
  path: "/api/meeting/attendance/:meetingId/csv",
  summary: "Who was in a meeting, as a table for spreadsheets",
  access: "token",
  in: "path",
  input: z.object({ meetingId: pathId().describe("The ID of the meeting.") }),
  file: ["text/csv"],
  reply: z.string(),
  status: 200,
  refusals: ["meeting_not_found"],
});

export const getRoomLink = operation({
  ...meetings,
  id: "getRoomLink",
  changes: true,
  method: "POST",
  path: "/api/meeting/link",
  summary: "The link that opens a room",
  access: "token",
  in: "body",
  input: z.object({
    roomId: roomId().describe("The room ID."),
    renew: flag().default(false).describe("Whether to end the current link and make a new one."),
  }),
  reply: success({ code: z.string(), url: webLink() }),
  status: 200,
  refusals: ["room_not_found"],
});
