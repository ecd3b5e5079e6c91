import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { LiveStream } from "../meetings/live.ts";
import type { MeaningsOf } from "./kit.ts";
import { points, whoModerates } from "./kit.ts";

/*
 * Descriptions of the operations of live streams and meanings of their answers' fields, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type LiveOperation = "startStream" | "stopStream" | "watchStream";

export const liveDescriptions: Readonly<Record<LiveOperation, string>> = {
  startStream: points(
    "Streams a running meeting live, until it ends, is stopped, or the room's settings forbid it. The room needs `enableLiveStreaming`.",
    "With `enableRTMPStreaming` the stream is sent to `url` with `key`, or to those of the room, and tried again while the receiver is away. Otherwise everybody who may enter the room watches it on Parley's page.",
    "When every recorder is busy, it waits (`state` queued). Everybody who opens the link sees that the meeting is streamed. The key is never answered.",
    whoModerates,
  ),
  stopStream: `Ends a live stream. Nothing happens where there is none. ${whoModerates}`,
  watchStream:
    "Opens the live stream of a room, without a seat. Sets the cookie that loads its playlist and its parts. Password, exclusion and lock count as for joinRoom; a person whom a moderator must admit cannot watch. Only for streams that are watched on Parley's own page.",
};

const fields: MeaningsOf<LiveStream> = {
  state:
    "queued: waits for a recorder; starting: nobody can see it yet; live; reconnecting: its receiver is away, and is tried again.",
  kind: "rtmp: sent to a receiver; hls: watched on Parley's own page.",
  since: "Since when it is in this state: ISO 8601, UTC.",
  target: "The scheme and host of the receiver, never its path or key; null for hls.",
  error:
    "Why it is not live: unreachable, certificate, refused, lost, source (nothing to send yet), or recorder_missing (it waits until Chromium and ffmpeg are there); null while it is, and at the beginning.",
};

export const liveStreamMeaning = {
  is: "The live stream; null where there is none.",
  fields,
};

type Answered = { readonly [K in LiveOperation]: MeaningsOf<Reply<Operations[K]>> };

export const liveFields: Answered = {
  startStream: { liveStream: { is: "The live stream.", fields } },
  stopStream: {},
  watchStream: {
    playlist: "The path of the playlist (HLS, RFC 8216). It is answered with the cookie only.",
    roomName: "The name of the room.",
  },
};
