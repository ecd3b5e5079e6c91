/** What a track shows, as LiveKit names it. */
export type Source = "camera" | "microphone" | "screen_share" | "screen_share_audio";

/** What the engine lets one person do. */
export interface Grant {
  readonly publish: readonly Source[];
  readonly subscribe: boolean;
  /** In no list of people: viewers of an event, and the recorder. */
  readonly hidden: boolean;
  /** Not counted as a person, and does not keep the meeting open. */
  readonly recorder: boolean;
}

/** The settings of a room that decide who may publish. */
export interface GrantSettings {
  readonly roomType: "p2p" | "conferencing" | "event";
  readonly audioStatus: boolean;
  readonly videoStatus: boolean;
  readonly enableScreenSharing: boolean;
  /** False: one person shares a screen at a time. */
  readonly enablePresenters: boolean;
}

/** One person inside. */
export interface GrantPerson {
  readonly role: "moderator" | "participant" | "viewer" | "recorder";
  /** Whether the meeting's one presenter is this person. */
  readonly presenter: boolean;
  /** Muted by a moderator until they publish anew. */
  readonly muted: readonly Source[];
}

/**
 * The grant of a person: the same function at the connection and after every change, so a change
 * that did not arrive is repaired by the next connection.
 *
 * An upgraded viewer of an event has the role participant.
 */
export const grantOf = (settings: GrantSettings, person: GrantPerson): Grant => {
  const { role, presenter, muted } = person;
  const recorder = role === "recorder";
  const speaks = role === "moderator" || role === "participant";
  const shares = settings.enableScreenSharing && (settings.enablePresenters || presenter);
  const allowed: readonly (readonly [Source, boolean])[] = [
    ["microphone", settings.audioStatus],
    ["camera", settings.videoStatus],
    ["screen_share", shares],
    ["screen_share_audio", shares],
  ];
  return {
    publish: speaks
      ? allowed.filter(([source, may]) => may && !muted.includes(source)).map(([source]) => source)
      : [],
    subscribe: true,
    hidden: recorder || (settings.roomType === "event" && role === "viewer"),
    recorder,
  };
};

/**
 * The grant in a token. LiveKit takes an empty list of sources for all of them, so nobody without
 * a source may publish at all.
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
