import {
  AddTrackRequest,
  RequestResponse,
  RequestResponse_Reason,
  SignalResponse,
  TrackSource,
  TrackType,
} from "@livekit/protocol";

/** Camera, microphone, screen and its sound, each twice while one device replaces another. */
export const MOST_TRACKS = 8;

/** LiveKit checks only that a source may be published, not that the track is of its kind. */
const kinds = new Map<TrackSource, TrackType>([
  [TrackSource.CAMERA, TrackType.VIDEO],
  [TrackSource.SCREEN_SHARE, TrackType.VIDEO],
  [TrackSource.MICROPHONE, TrackType.AUDIO],
  [TrackSource.SCREEN_SHARE_AUDIO, TrackType.AUDIO],
]);

/** Counts what one person publishes: LiveKit has no limit. */
export const openPublishing = () => {
  /** Tracks that were requested and are not yet in LiveKit's list of the person's tracks. */
  const asked = new Set<string>();
  let listed = 0;
  return {
    /** Whether a track may be published: it is of its source's kind, and within the limit. */
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
