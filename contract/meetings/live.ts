import { z } from "zod";
import { instant, pathLink, streamAddress, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { PEER_NAME, roomId } from "./meetings.ts";

/*
 * Parley's own operations: the live stream of a meeting, sent by RTMP or watched on Parley's own page.
 */

/** How a live stream reaches its viewers. */
export const streamKinds = ["rtmp", "hls"] as const;
/**
 * queued: waits for a recorder, or with `recorder_missing` until there is one; starting: nobody can see it
 * yet; reconnecting: the connection to the receiver is lost, and is retried.
 */
export const streamStates = ["queued", "starting", "live", "reconnecting"] as const;

/** A running live stream, as people inside see it. */
export const liveStream = z
  .strictObject({
    state: z.enum(streamStates),
    /** When this state began. */
    since: instant(),
    kind: z.enum(streamKinds),
    /** The receiver's scheme and host, never its path or key; null for hls. */
    target: z.string().nullable(),
    /** Why it is not live; null while it is. */
    error: z.string().nullable(),
  })
  .meta({ title: "LiveStream" });
export type LiveStream = z.output<typeof liveStream>;

/** The inputs of what moderators do, without the room. */
export const streaming = {
  startStream: z.object({
    url: streamAddress()
      .optional()
      .describe(
        "The receiver, rtmp:// or rtmps://; the room's `liveStreamUrl` by default. Only from administrators, access keys and the room's owners; over the meeting socket only from administrators and owners.",
      ),
    key: textField(512)
      .optional()
      .describe(
        "The receiver's key; with the room's address, `liveStreamKey` by default. Only from those who may give `url`.",
      ),
  }),
  stopStream: z.object({}),
} as const;

const live = { group: "Live", failure: "message", method: "POST", status: 200 } as const;
const ofRoom = { roomId: roomId().describe("The room ID.") };

export const startStream = operation({
  ...live,
  id: "startStream",
  changes: true,
  path: "/api/liveStream/startStream",
  summary: "Stream a running meeting live",
  access: "token",
  in: "body",
  input: streaming.startStream.extend(ofRoom),
  reply: success({ liveStream }),
  refusals: [
    "room_not_found",
    "no_meeting",
    "live_stream_off",
    "live_stream_active",
    "rtmp_off",
    "recorder_missing",
  ],
});

export const stopStream = operation({
  ...live,
  id: "stopStream",
  changes: true,
  path: "/api/liveStream/stopStream",
  summary: "End a live stream",
  access: "token",
  in: "body",
  input: streaming.stopStream.extend(ofRoom),
  reply: success({}),
  refusals: ["room_not_found"],
});

export const watchStream = operation({
  ...live,
  id: "watchStream",
  scope: "read",
  // Below the path of the cookie that identifies guests.
  path: "/api/meeting/watchStream",
  summary: "Watch a live stream without a seat",
  access: "anyone or token",
  in: "body",
  input: z.object({
    roomId: roomId().describe("The code of the room's link; with a token also the room ID."),
    peerName: textField(PEER_NAME, { filled: true, shown: "line" })
      .optional()
      .describe("Not shown to anybody; understood so that the page sends what joinRoom takes."),
    password: textField(128).optional().describe("The room's password, where it has one."),
    sessionToken: textField(128)
      .optional()
      .describe("An invitation that createSessionToken made, instead of a token."),
  }),
  reply: success({
    /** The path of the playlist (HLS). */
    playlist: pathLink(),
    roomName: z.string(),
  }),
  refusals: [
    "room_not_found",
    "no_live_stream",
    "wrong_room_password",
    "banned",
    "must_be_admitted",
    "link_ended",
    "room_locked",
    "too_many_requests",
  ],
});
