/** The kinds of tracks, as LiveKit names them. */
export type TrackSource = "camera" | "microphone" | "screen_share" | "screen_share_audio";

/** The permissions of one person at the engine. */
export interface Grant {
  readonly publish: readonly TrackSource[];
  readonly subscribe: boolean;
  /** In no list of people: viewers of an event, and the recorder. */
  readonly hidden: boolean;
  /** Not counted as a person, and does not keep the meeting open. */
  readonly recorder: boolean;
}

/**
 * The grant in a token. To LiveKit an empty list of sources means all sources, so a person without
 * any source may not publish at all.
 *
 * @param meeting the name of the room in LiveKit
 */
export const toVideoGrant = (meeting: string, grant: Grant): Readonly<Record<string, unknown>> => ({
  room: meeting,
  roomJoin: true,
  canPublish: grant.publish.length > 0,
  canPublishSources: grant.publish,
  canPublishData: false,
  canSubscribe: grant.subscribe,
  canUpdateOwnMetadata: false,
  hidden: grant.hidden,
  recorder: grant.recorder,
});

/** The grant in an UpdateParticipant, which replaces the whole set: every key is sent. */
export const toPermission = (grant: Grant): Readonly<Record<string, unknown>> => ({
  can_publish: grant.publish.length > 0,
  can_publish_sources: grant.publish.map((source) => source.toUpperCase()),
  can_publish_data: false,
  can_subscribe: grant.subscribe,
  can_update_metadata: false,
  hidden: grant.hidden,
  recorder: grant.recorder,
});
