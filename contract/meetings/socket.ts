import type { FieldError } from "../kit/reasons.ts";
import { type Code, texts } from "../kit/texts.ts";
import type { RecordingError } from "../recordings/record.ts";
import type { Medium } from "./commands.ts";
import type { LiveStream } from "./live.ts";
import type { Captured, EnteredRoom, MediaPath, PeerType, Quality } from "./meetings.ts";
import type { Spoken } from "./transcripts.ts";

/*
 * The messages of the meeting socket (`/api/meeting/socket`, JSON texts). The client first sends its ticket,
 * `{ "ticket": "..." }`, then commands, `{ "id": 1, "do": "chat", "text": "..." }`. Each command gets a reply
 * with its ID. The messages to a client describe the meeting as this person may see it: `welcome` is
 * everything, and each later message replaces a part of it. A seat may send 300 commands at once and 50 a
 * second after that; of those that everybody sees (chat, hand, media, present, upgrade) 30 at once and 3 a
 * second, of `quality` 10 at once and one each 5 seconds. More are refused with `too_many_requests`. After a lost connection a new socket with the
 * same ticket begins with a new `welcome`.
 */

/** Somebody inside, as others see them. */
export interface Peer {
  readonly peerId: string;
  readonly peerName: string;
  readonly peerType: PeerType;
  /** Whether the connection is lost; the seat is kept for a while. */
  readonly away: boolean;
  readonly guest: boolean;
  /** Since when: ISO 8601, UTC. */
  readonly since: string;
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  /** When the hand was raised; null if it is not. */
  readonly hand: string | null;
  /** The quality of the connection, as the page reports it (`quality`); null if unknown. */
  readonly quality: Quality | null;
}

/** Somebody waiting in the lobby. */
export interface Waiting {
  readonly peerId: string;
  readonly peerName: string;
  readonly since: string;
  /** Whether the connection is lost; the place is kept for some minutes. */
  readonly away: boolean;
}

/** A request to take part, or a moderator's offer. */
export interface Upgrade {
  readonly peerId: string;
  readonly state: "asked" | "offered";
  readonly since: string;
}

/**
 * What records, streams or transcribes a direct meeting: not a person, and in no list of people.
 * Each browser whose media it receives connects to it as to a peer, and only sends.
 */
export interface Receiver {
  readonly peerId: string;
  /** Whether it receives cameras and screens; otherwise only sound. */
  readonly video: boolean;
}

export interface ChatMessage {
  /**
   * Later messages have larger numbers. They differ by reader, so that they reveal no hidden
   * messages, and may change when the socket is opened again.
   */
  readonly number: number;
  readonly peerId: string;
  readonly peerName: string;
  readonly text: string;
  readonly sentAt: string;
}

/** What this person may do now; the service enforces it, the page shows it. */
export interface Allowed {
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  readonly chat: boolean;
  /** Whether the person may moderate. */
  readonly moderate: boolean;
  /** Whether sharing a screen first needs the only presenter's place (`present`). */
  readonly presenterOnly: boolean;
  /** Whether the person may ask to take part. */
  readonly upgrade: boolean;
  /** Whether the person owns the room and may become a moderator (`promote`). */
  readonly promote: boolean;
  /** Whether the person may begin and end a live stream. */
  readonly stream: boolean;
  /** Whether the person may begin and end the transcription. */
  readonly transcribe: boolean;
}

/** The meeting's own state. */
export interface MeetingState {
  readonly meetingId: string;
  readonly startedAt: string;
  readonly locked: boolean;
  /**
   * Who has the only presenter's place: their peerId, or `hidden` if this person may not see them;
   * null if nobody has it, or there is no such limit.
   */
  readonly presenter: string | null;
  /**
   * Whether people other than moderators are hidden from each other, with what they write
   * (participantPrivacy).
   */
  readonly peopleHidden: boolean;
  /**
   * Whether people other than moderators do not see each other's pictures
   * (participantVideoPrivacy).
   */
  readonly picturesHidden: boolean;
  /** Whether it is recorded now. */
  readonly recording: boolean;
  /** null: it is not streamed live. */
  readonly liveStream: LiveStream | null;
  /** Whether it is transcribed now. */
  readonly transcribing: boolean;
  /** Whether people enter with the microphone off (`muteOnEntry`). */
  readonly mutesEntry: boolean;
}

/** The recording, as moderators see it. */
export interface RecorderState {
  /** Why none can begin now, or why the queued one does not begin; null if it can. */
  readonly problem: "recording_off" | "nothing_to_record" | "recorder_missing" | null;
  readonly state: "idle" | "queued" | "starting" | "active";
  /** How many others precede it, if it is queued. */
  readonly before: number;
  /**
   * Why the meeting's last recording failed or ended early; for a queued one, why it could not
   * begin yet. Null if nothing went wrong.
   */
  readonly error: RecordingError | null;
}

/** The live stream or the transcription, as moderators see it. */
export interface RunState {
  readonly topic: "stream" | "transcription";
  /** How many others precede it, if it waits for a recorder; null if it does not wait. */
  readonly before: number | null;
  /** Why it does not work now; null if it works. */
  readonly error: string | null;
}

/** The last live stream or transcription, if it ended early. */
export interface RunFailure {
  readonly topic: "stream" | "transcription";
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly error: string;
}

/** The whole meeting, as one person may see it. */
export interface View {
  readonly you: {
    readonly peerId: string;
    readonly peerName: string;
    readonly peerType: PeerType;
    /** When this person's hand was raised; null if it is not. */
    readonly hand: string | null;
  };
  readonly room: EnteredRoom;
  readonly meeting: MeetingState;
  readonly allowed: Allowed;
  /** Everybody else inside whom this person may see, in the order of arrival. */
  readonly peers: readonly Peer[];
  /** Who waits in the lobby; only for moderators. */
  readonly waiting: readonly Waiting[];
  /** For moderators; null for others. */
  readonly recorder: RecorderState | null;
  /** Requested live streams and transcriptions; for moderators. */
  readonly runs: readonly RunState[];
  /** Those that failed and were not started again; for moderators. */
  readonly failed: readonly RunFailure[];
  /** Requests and offers: all of them for moderators, only their own for others. */
  readonly upgrades: readonly Upgrade[];
  /** Capture peers that also receive what this person sends. Empty if a media engine carries it. */
  readonly receivers: readonly Receiver[];
}

/** Why a seat ended. */
export type EndReason =
  | "left"
  | "removed"
  | "banned"
  | "closed"
  | "refused"
  | "lobby_full"
  | "lost"
  | "moved"
  | "signed_out"
  | "room_deleted";

/** What the service sends. */
export type ServerMessage =
  | ({
      readonly type: "welcome";
      readonly media: MediaPath;
      readonly chat: readonly ChatMessage[];
    } & View)
  /**
   * Before the door; `waitsFor` tells whether the person waits for a moderator, a host or a seat.
   * `moderated` tells whether a moderator is inside, `passwordRequired` whether the room's password
   * now admits the person without one.
   */
  | ({
      readonly type: "lobby";
      readonly room: EnteredRoom;
      readonly moderated: boolean;
      readonly passwordRequired: boolean;
      readonly waitsFor: "moderator" | "host" | "seat";
    } & Captured)
  /** Parts of the view that changed, without the people. */
  | ({ readonly type: "changed" } & Partial<Omit<View, "peers">>)
  /** People who came or changed, and the IDs of those who left. */
  | { readonly type: "peers"; readonly changed: readonly Peer[]; readonly gone: readonly string[] }
  | { readonly type: "chat"; readonly messages: readonly ChatMessage[] }
  /** New captions, of people whom this person sees. */
  | { readonly type: "captions"; readonly spoken: readonly Spoken[] }
  /** From another browser of a direct meeting. */
  | { readonly type: "signal"; readonly from: string; readonly data: string }
  /**
   * Signals were dropped, because this person's network was slow or away: the client negotiates
   * again.
   */
  | { readonly type: "signalsLost" }
  /** A moderator ended this person's sound, picture or share. */
  | {
      readonly type: "muted";
      readonly media: readonly Medium[];
      readonly by: string;
      /** The person has just entered a meeting that people enter with the microphone off. */
      readonly entering?: true;
    }
  /** The answer to a command. */
  | { readonly type: "reply"; readonly id: number; readonly ok: true }
  | {
      readonly type: "reply";
      readonly id: number;
      readonly ok: false;
      readonly code: Code;
      readonly message: string;
      /** What is wrong, field by field, as in answers over HTTP. */
      readonly errors?: readonly FieldError[];
    }
  /** The seat has ended; the socket closes. */
  | {
      readonly type: "ended";
      readonly reason: EndReason;
      /** The code of the message (`endings`); omitted for a moderator's own. */
      readonly code?: EndCode;
      readonly message: string;
    };

/**
 * The texts of `ended`, by code, unless a moderator wrote one; pages have texts of their own. The code is
 * the reason where a reason has one text.
 */
export const endings = {
  left: "You have left the meeting.",
  removed: "A moderator has removed you from the meeting.",
  banned: "A moderator has excluded you from this room.",
  closed: "It was ended for everybody.",
  everybody_left: "Everybody has left the meeting.",
  refused: "A moderator has not let you in.",
  lobby_full: "Too many people are waiting. Your place went to somebody else.",
  lost: "Your connection was lost for too long.",
  moved: "You have entered this meeting in another window.",
  signed_out: "Your account may not be used any more.",
  room_deleted: "The room was deleted.",
  ticket_ended: texts.ticket_ended.text,
} as const;
/** Why a seat ended, as precisely as its text. */
export type EndCode = keyof typeof endings;
