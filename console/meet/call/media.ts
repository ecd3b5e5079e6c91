import type { MediaPath } from "../../../contract/meetings/meetings.ts";
import type { Allowed, Peer, View } from "../../../contract/meetings/socket.ts";
import type { WayState } from "./way.ts";

/** The sources that a person can send, in the order of the parts of a connection between two browsers. */
export const sources = ["audio", "video", "share", "shareAudio"] as const;
export type Source = (typeof sources)[number];

/** Shows or plays something in an element. Returns a function that ends this. */
export type Attach = (element: HTMLMediaElement) => () => void;

/** The media of one person that this page receives. */
export interface Received {
  readonly tracks: { readonly [S in Source]?: Attach };
  readonly link: WayState;
}

/** The part of the view that determines who sends what to whom. */
export type CallView = Pick<View, "you" | "allowed" | "peers" | "receivers" | "meeting">;

/** Carries pictures and sound: directly between the browsers, or through the media engine. */
export interface MediaAdapter {
  /** Sends a track in place of the previous one; null: nothing. */
  readonly publish: (source: Source, track: MediaStreamTrack | null) => Promise<void>;
  /** Marks a device as muted at the media engine, because it is on and delivers nothing. */
  readonly hush: (device: "audio" | "video", isSilent: boolean) => void;
  /** Takes the people inside, and what may be sent. */
  readonly update: (view: CallView) => void;
  /** A signal from another browser. */
  readonly receive: (from: string, data: string) => void;
  /** After signals may have been lost: the meeting socket has reconnected, or they were dropped. */
  readonly resume: () => void;
  readonly people: () => ReadonlyMap<string, Received>;
  /** The connection of this person with what carries the media; browser by browser, nothing is between them. */
  readonly own: () => WayState;
  /** The statistics of each connection, by a key of its own. */
  readonly stats: () => Promise<ReadonlyMap<unknown, readonly RTCStats[]>>;
  /** How loud somebody is now, 0 to 1. */
  readonly level: (peerId: string) => number;
  readonly close: () => void;
}

export interface AdapterOptions {
  readonly media: MediaPath;
  readonly ticket: string;
  readonly view: CallView;
  /** Sends a signal to another browser. @throws ParleyError, TypeError as the meeting socket does */
  readonly signal: (to: string, data: string) => Promise<void>;
  readonly onChange: () => void;
  /** A source can no longer be sent: its device was stopped, or the engine refuses it. */
  readonly onFailure?: (
    source: Source,
    track: MediaStreamTrack,
    problem: "unplugged" | "unsent",
  ) => void;
}

/** Returns whether a source is sound. */
export const isSound = (source: Source): boolean => source === "audio" || source === "shareAudio";

/** Returns whether a person may send this. */
export const maySend = (allowed: Allowed, source: Source): boolean =>
  source === "shareAudio" ? allowed.share : allowed[source];

/** Returns whether this person and somebody else see each other's pictures. */
export const seesPictures = (
  { you, meeting }: Pick<View, "you" | "meeting">,
  { peerType }: Pick<Peer, "peerType">,
): boolean => !meeting.picturesHidden || you.peerType === "moderator" || peerType === "moderator";

/** Returns whether this person sees everybody inside. */
export const seesEverybody = ({ you, room, meeting }: View): boolean =>
  you.peerType === "moderator" ||
  !(meeting.peopleHidden || (room.roomType === "event" && you.peerType === "viewer"));

/** Returns whether a person's page says that this is on. */
export const isOn = (peer: Pick<Peer, "audio" | "video" | "share">, source: Source): boolean =>
  source === "shareAudio" ? peer.share : peer[source];

const attachments = new WeakMap<MediaStreamTrack, Attach>();

/** Plays a track; the same track always gets the same function. */
export const attachTrack = (track: MediaStreamTrack): Attach => {
  const known = attachments.get(track);
  if (known !== undefined) return known;
  const attach: Attach = (element) => {
    element.srcObject = new MediaStream([track]);
    return () => {
      element.srcObject = null;
    };
  };
  attachments.set(track, attach);
  return attach;
};
