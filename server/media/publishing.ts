import {
  AddTrackRequest,
  type ParticipantInfo,
  ParticipantInfo_State,
  RequestResponse,
  RequestResponse_Reason,
  SignalResponse,
  TrackSource,
  TrackType,
} from "@livekit/protocol";
import type { TrackSource as SourceName } from "./grants.ts";

/** Camera, microphone, screen and its sound, each twice while one device replaces another. */
export const MOST_TRACKS = 8;

/** LiveKit checks only that a source may be published, not that the track is of its kind. */
const kinds = new Map<TrackSource, TrackType>([
  [TrackSource.CAMERA, TrackType.VIDEO],
  [TrackSource.SCREEN_SHARE, TrackType.VIDEO],
  [TrackSource.MICROPHONE, TrackType.AUDIO],
  [TrackSource.SCREEN_SHARE_AUDIO, TrackType.AUDIO],
]);

/** The engine's view of the media of one person. */
export interface Published {
  /** The sources that others receive now: tracks that are published and not muted. */
  readonly sources: readonly SourceName[];
  /** True if the person's media connection is up. */
  readonly hasMedia: boolean;
}

const names: ReadonlyMap<TrackSource, SourceName> = new Map([
  [TrackSource.CAMERA, "camera"],
  [TrackSource.MICROPHONE, "microphone"],
  [TrackSource.SCREEN_SHARE, "screen_share"],
  [TrackSource.SCREEN_SHARE_AUDIO, "screen_share_audio"],
]);

/** Reads from LiveKit's record of a person what they publish. */
export const publishedOf = ({ tracks, state }: ParticipantInfo): Published => ({
  sources: tracks.flatMap(({ source, muted }) => (muted ? [] : (names.get(source) ?? []))),
  hasMedia: state === ParticipantInfo_State.ACTIVE,
});

/** Counts what one person publishes: LiveKit has no limit. */
export const openPublishing = () => {
  /** Tracks that were requested and are not yet in LiveKit's list of the person's tracks. */
  const asked = new Set<string>();
  let listed = 0;
  return {
    /** Returns whether a track may be published: it is of its source's kind, and within the limit. */
    add(track: AddTrackRequest): boolean {
      if (kinds.get(track.source) !== track.type) return false;
      if (!asked.has(track.cid) && asked.size + listed >= MOST_TRACKS) return false;
      asked.add(track.cid);
      return true;
    },
    /** LiveKit has published a track: it counts as listed from now on. */
    published(cid: string): void {
      if (asked.delete(cid)) listed++;
    },
    refused(cid: string): void {
      asked.delete(cid);
    },
    /** LiveKit has listed the person's tracks. */
    has(sids: readonly string[]): void {
      listed = sids.length;
    },
  };
};

/** The answer to a client whose track may not be published, as LiveKit sends it. */
export const refusal = (track: AddTrackRequest): SignalResponse =>
  new SignalResponse({
    message: {
      case: "requestResponse",
      value: new RequestResponse({
        reason: RequestResponse_Reason.NOT_ALLOWED,
        request: { case: "addTrack", value: new AddTrackRequest({ cid: track.cid }) },
      }),
    },
  });
