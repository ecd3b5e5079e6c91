/*
 * The messages that the kit in another page (kit.ts) and the page of a meeting in its frame (console/meet/embed) send to
 * each other, by `postMessage`: the page says `ready`, the kit how it is to look, the page `welcome` to each of these; then
 * calls and their answers, and events. The invitation is not in it: it is in the frame's address.
 */

/** The version of these messages; each message has it as `parley`. */
export const PROTOCOL = 1;

/** The parts of a meeting that can be hidden: buttons, not rights, which are settings of the room. */
export const hideable = [
  "chat",
  "people",
  "hand",
  "share",
  "layout",
  "record",
  "link",
  "end",
] as const;
export type Hideable = (typeof hideable)[number];

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Everybody in tiles of one size, or the speaker large. */
export const layouts = ["grid", "speaker"] as const;
export type MeetingLayout = (typeof layouts)[number];

/** How the page of a meeting looks in another page. */
export interface Appearance {
  /** The name with which the entry form begins; an invitation names the person itself. */
  readonly name: string;
  readonly theme: Theme;
  readonly hide: readonly Hideable[];
}

/** The methods of an embedded meeting. Each promise rejects with a `MeetingError`. */
export interface MeetingMethods {
  /** Turns this person's microphone off. */
  mute(): Promise<void>;
  /** Turns this person's microphone on. */
  unmute(): Promise<void>;
  /** Turns this person's camera on. */
  startCamera(): Promise<void>;
  /** Turns this person's camera off. */
  stopCamera(): Promise<void>;
  /** Lets this person choose a screen, and shares it. Needs a click. */
  startShare(): Promise<void>;
  /** Stops sharing the screen. */
  stopShare(): Promise<void>;
  /** Raises this person's hand. */
  raiseHand(): Promise<void>;
  /** Lowers this person's hand. */
  lowerHand(): Promise<void>;
  /** Shows everybody, or the speaker large. */
  setLayout(layout: MeetingLayout): Promise<void>;
  /** Begins the recording; for moderators. */
  startRecording(): Promise<void>;
  /** Ends the recording; for moderators. */
  stopRecording(): Promise<void>;
  /** Leaves the meeting, or stops waiting before it. */
  leave(): Promise<void>;
  /** Ends the meeting for everybody; for moderators. */
  end(): Promise<void>;
}
export type MeetingMethod = keyof MeetingMethods;

/** The names of the methods; the compiler checks that none is missing. */
export const meetingMethods = Object.keys({
  mute: true,
  unmute: true,
  startCamera: true,
  stopCamera: true,
  startShare: true,
  stopShare: true,
  raiseHand: true,
  lowerHand: true,
  setLayout: true,
  startRecording: true,
  stopRecording: true,
  leave: true,
  end: true,
} satisfies Record<MeetingMethod, true>) as readonly MeetingMethod[];

/** Somebody in an embedded meeting. */
export interface EmbeddedPerson {
  readonly peerId: string;
  readonly peerName: string;
  readonly peerType: "moderator" | "participant" | "viewer";
}

/** An action of a person; `you`: the person in this frame. */
export interface PersonEvent {
  readonly peerId: string;
  readonly you: boolean;
}

/** Why a person is no longer in a meeting. */
export type LeftReason =
  | "left"
  | "removed"
  | "banned"
  | "closed"
  | "refused"
  | "lobby_full"
  | "lost"
  | "moved"
  | "signed_out"
  | "room_deleted"
  | "stopped_waiting"
  | "stream_over"
  | "invitation_ended"
  | "blocked";

/** The events of an embedded meeting, with their details. */
export interface MeetingEvents {
  /** The person in this frame is inside. */
  readonly joined: {
    readonly meetingId: string;
    readonly roomName: string;
    readonly you: EmbeddedPerson;
    /** Everybody else whom this person may see. */
    readonly peers: readonly EmbeddedPerson[];
    readonly microphone: boolean;
    readonly camera: boolean;
    readonly recording: boolean;
  };
  /** The person in this frame is no longer inside, or no longer waits. */
  readonly left: { readonly reason: LeftReason };
  readonly "peer-joined": EmbeddedPerson;
  readonly "peer-left": EmbeddedPerson;
  /** A microphone is off. */
  readonly muted: PersonEvent;
  /** A microphone is on. */
  readonly unmuted: PersonEvent;
  readonly camera: PersonEvent & { readonly on: boolean };
  readonly share: PersonEvent & { readonly on: boolean };
  readonly hand: PersonEvent & { readonly up: boolean };
  /** A message of the chat. */
  readonly message: PersonEvent & {
    readonly peerName: string;
    readonly text: string;
    /** ISO 8601, UTC. */
    readonly sentAt: string;
  };
  /** The meeting is recorded, or no longer. */
  readonly recording: { readonly on: boolean };
  /** The meeting has ended for everybody. */
  readonly ended: { readonly reason: "closed" | "room_deleted" };
  /** Something keeps the person from entering, or from being seen or heard. */
  readonly error: {
    readonly code: MeetingErrorCode;
    /** For people, in the language of the page. */
    readonly message: string;
    /** The device that does not work. */
    readonly device?: "microphone" | "camera";
  };
}
export type MeetingEventName = keyof MeetingEvents;

/** The names of the events; the compiler checks that none is missing. */
export const meetingEvents = Object.keys({
  joined: true,
  left: true,
  "peer-joined": true,
  "peer-left": true,
  muted: true,
  unmuted: true,
  camera: true,
  share: true,
  hand: true,
  message: true,
  recording: true,
  ended: true,
  error: true,
} satisfies Record<MeetingEventName, true>) as readonly MeetingEventName[];

/** Why a method fails, or the frame itself. */
export const embedCodes = [
  "invalid_address",
  "unreachable",
  "wrong_version",
  "gone",
  "invalid_call",
  "not_inside",
  "not_allowed",
  "cancelled",
  "click_needed",
  "unsupported",
  "denied",
  "missing",
  "busy",
  "insecure",
  "unplugged",
  "unsent",
  "failed",
] as const;
export type EmbedCode = (typeof embedCodes)[number];

/** A code of the kit, or one of the service's own codes (`too_many_requests`, `recorder_missing`). */
export type MeetingErrorCode = EmbedCode | (string & {});

/** The messages of the kit to the frame. The first appearance is its answer to `ready`. */
export type ToMeeting = { readonly parley: number } & (
  | { readonly type: "appearance"; readonly appearance: Appearance }
  | {
      readonly type: "call";
      readonly id: number;
      readonly method: MeetingMethod;
      readonly input?: unknown;
    }
);

/** An event with its detail. */
export type EmbeddedEvent = {
  [K in MeetingEventName]: { readonly name: K; readonly detail: MeetingEvents[K] };
}[MeetingEventName];

/** Why a call has failed. */
export interface CallFailure {
  readonly code: MeetingErrorCode;
  /** For people, where the service has a text for it. */
  readonly message: string;
}

/** The messages of the page in the frame to the kit. */
export type FromMeeting = { readonly parley: number } & (
  | { readonly type: "ready" | "welcome" }
  | {
      readonly type: "answer";
      readonly id: number;
      /** Why it failed; undefined: it has succeeded. */
      readonly failure?: CallFailure | undefined;
    }
  | ({ readonly type: "event" } & EmbeddedEvent)
);
