import type { SignalRequest, SyncState, UpdateSubscription } from "@livekit/protocol";
import type { MediaView } from "./view.ts";

/**
 * The client's messages that pass as they are. Not among them: `simulate`, `updateMetadata`, data
 * tracks and blobs; `subscriptionPermission`, by which a person could hide from moderators; `trickle`,
 * addresses that LiveKit would call; and `updateVideoTrack`, `updateAudioTrack` and `updateLayers`, which
 * go to everybody and which the page does not send.
 */
const PASSING: ReadonlySet<SignalRequest["message"]["case"]> = new Set([
  "leave",
  "ping",
  "pingReq",
] as const);

export const passes = (kind: SignalRequest["message"]["case"]): boolean => PASSING.has(kind);

/** Removes tracks that the client may not see; returns whether any is left. */
export const keepTracks = (wish: UpdateSubscription, { mayTrack }: MediaView): boolean => {
  wish.trackSids = wish.trackSids.filter(mayTrack);
  for (const one of wish.participantTracks) one.trackSids = one.trackSids.filter(mayTrack);
  wish.participantTracks = wish.participantTracks.filter(({ trackSids }) => trackSids.length > 0);
  return wish.trackSids.length > 0 || wish.participantTracks.length > 0;
};

/**
 * Removes from a resuming client's state the tracks that the client may not see.
 *
 * @returns the tracks that it had unsubscribed
 */
export const filterSyncState = (state: SyncState, view: MediaView): ReadonlySet<string> => {
  state.publishDataTracks = [];
  delete state.dataSubscription;
  state.trackSidsDisabled = state.trackSidsDisabled.filter(view.mayTrack);
  if (!state.subscription) return new Set();
  keepTracks(state.subscription, view);
  return new Set(state.subscription.subscribe ? [] : state.subscription.trackSids);
};
