import type { Operations } from "../index.ts";
import type { Example } from "./kit.ts";
import type { LiveOperation } from "./live-docs.ts";

/*
 * An example of every request and answer about live streams, in the room of examples.ts.
 */

const success = true;
const roomId = "4815162342";

export const liveExamples: { readonly [K in LiveOperation]: Example<Operations[K]> } = {
  startStream: {
    request: { roomId, url: "rtmps://live.example.org/app", key: "mk3f-8xqt-vw2p" },
    answer: {
      success,
      liveStream: {
        state: "starting",
        since: "2026-01-14T15:02:11.090Z",
        kind: "rtmp",
        target: "rtmps://live.example.org",
        error: null,
      },
    },
  },
  stopStream: { request: { roomId }, answer: { success } },
  watchStream: {
    request: { roomId: "k3fm-8xqt-vw2p" },
    answer: {
      success,
      playlist: "/api/liveStream/media/0199c2b3-0a51-7e66-9c1d-5b8e2f7a4d90/index.m3u8",
      roomName: "Board meeting",
    },
  },
};
