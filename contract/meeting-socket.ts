import type { LiveStream } from "./live.ts";
import type { Medium } from "./meeting-commands.ts";
import type { Captured, EnteredRoom, MediaPath, PeerType } from "./meetings.ts";
import type { RecordingError } from "./recording-record.ts";
import type { Code } from "./texts.ts";
import type { Spoken } from "./transcripts.ts";

/*
 * The messages of the meeting socket (`/api/meeting/socket`, JSON texts). The client first sends its
 * ticket, `{ "ticket": "..." }`, then commands, `{ "id": 1, "do": "chat", "text": "..." }`. Each
 * command is answered by a reply with its ID. The messages to a client describe the meeting as
 * this person may see it: `welcome` is everything, and each later message replaces a part of it. After a
 * lost connection a new socket with the same ticket begins with a new `welcome`.
 */

/** Somebody inside, as others see them. */
export interface Peer {
  readonly peerId: string;
  readonly peerName: string;
  readonly peerType: PeerType;
  /** Whether the connection is lost; the seat is kept for a moment. */
  readonly away: boolean;
  readonly guest: boolean;
  /** Since when: ISO 8601, UTC. */
  readonly since: string;
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  /** When the hand was raised; null: it is down. */
  readonly hand: string | null;
}

/** Somebody before the door. */
export interface Waiting {
  readonly peerId: string;
  readonly peerName: string;
  readonly since: string;
}

/** A request for an upgrade, or the offer of one. */
export interface Upgrade {
  readonly peerId: string;
  readonly state: "asked" | "offered";
  readonly since: string;
}

/**
 * What records, streams or transcribes a direct meeting: no person, and in no list of them. Each
 * browser that it receives connects with it as with a peer, and only sends.
 */
export interface Receiver {
  readonly peerId: string;
  /** Whether it takes pictures and screens; otherwise only sound. */
  readonly video: boolean;
}

export interface ChatMessage {
  /** A later message has a larger number. */
  readonly number: number;
  readonly peerId: string;
  readonly peerName: string;
  readonly text: string;
  readonly sentAt: string;
}

/** What this person may do now; enforced by the service, shown by the page. */
export interface Allowed {
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  readonly chat: boolean;
  /** Whether the person may moderate. */
  readonly moderate: boolean;
  /** Whether a share needs the only place of a presenter first (`present`). */
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
   * Who has the only place of a presenter: their peerId, or `hidden` where this person does not see
   * them; null: nobody, or there may be several.
   */
  readonly presenter: string | null;
  /** Whether those who are no moderators neither see nor read each other (participantPrivacy). */
  readonly peopleHidden: boolean;
  /** Whether those who are no moderators see no pictures of each other (participantVideoPrivacy). */
  readonly picturesHidden: boolean;
  /** Whether it is recorded now. */
  readonly recording: boolean;
  /** null: it is not streamed live. */
  readonly liveStream: LiveStream | null;
  /** Whether it is transcribed now. */
  readonly transcribing: boolean;
}

/** The recording, as moderators see it. */
export interface RecorderState {
  /** Why none can be begun now, or the one that is queued does not begin; null: nothing is in the way. */
  readonly problem: "recording_off" | "nothing_to_record" | "recorder_missing" | null;
  readonly state: "idle" | "queued" | "starting" | "active";
  /** Of one that is queued: how many others are before it. */
  readonly before: number;
  /**
   * Why the last one of this meeting failed, or ended before it was meant to; of one that is queued, why
   * it could not be begun yet. Null: nothing went wrong.
   */
  readonly error: RecordingError | null;
}

/** The live stream or the transcription, as moderators see it. */
export interface RunState {
  readonly topic: "stream" | "transcription";
  /** Of one that waits for a recorder: how many others are before it; null: it does not wait. */
  readonly before: number | null;
  /** Why it does not work now; null: nothing is wrong. */
  readonly error: string | null;
}

/** The last live stream or transcription, where it ended before it was meant to. */
export interface RunFailure {
  readonly topic: "stream" | "transcription";
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly error: string;
}

/** Everything, as one person may see it. */
export interface View {
  readonly you: {
    readonly peerId: string;
    readonly peerName: string;
    readonly peerType: PeerType;
    /** When the own hand was raised; null: it is down. */
    readonly hand: string | null;
  };
  readonly room: EnteredRoom;
  readonly meeting: MeetingState;
  readonly allowed: Allowed;
  /** Everybody else inside whom this person may see, the longest inside first. */
  readonly peers: readonly Peer[];
  /** Who waits; for moderators. */
  readonly waiting: readonly Waiting[];
  /** For moderators; null for others. */
  readonly recorder: RecorderState | null;
  /** The live stream and the transcription that were begun; for moderators. */
  readonly runs: readonly RunState[];
  /** The ones that have failed, and were not begun again; for moderators. */
  readonly failed: readonly RunFailure[];
  /** Requests and offers; for moderators all, for others their own. */
  readonly upgrades: readonly Upgrade[];
  /** Who else receives what this person sends. Empty where a media engine carries it. */
  readonly receivers: readonly Receiver[];
}

/** Why a seat ended. */
export type EndReason =
  | "left"
  | "removed"
  | "banned"
  | "closed"
  | "refused"
  | "lost"
  | "moved"
  | "signed_out"
  | "room_deleted";

/** What `ended` says by its reason where nobody has said more, as the moderator who ends a meeting may. */
export const ENDINGS: Readonly<Record<EndReason, string>> = {
  left: "You have left the meeting.",
  removed: "A moderator has removed you from the meeting.",
  banned: "A moderator has excluded you from this room.",
  closed: "It was ended for everybody.",
  refused: "A moderator has not let you in.",
  lost: "Your connection was lost for too long.",
  moved: "You have entered this meeting in another window.",
  signed_out: "Your account may not be used any more.",
  room_deleted: "The room was deleted.",
};

/** What the service sends. */
export type ServerMessage =
  | ({
      readonly type: "welcome";
      readonly media: MediaPath;
      readonly chat: readonly ChatMessage[];
    } & View)
  /**
   * Before the door; `moderated` tells whether a moderator is inside, `passwordRequired` whether the
   * room's password would let the person in without one.
   */
  | ({
      readonly type: "lobby";
      readonly room: EnteredRoom;
      readonly moderated: boolean;
      readonly passwordRequired: boolean;
    } & Captured)
  /** Parts of the view that changed, without the people. */
  | ({ readonly type: "changed" } & Partial<Omit<View, "peers">>)
  /** People who came or changed, and the IDs of those who are gone. */
  | { readonly type: "peers"; readonly changed: readonly Peer[]; readonly gone: readonly string[] }
  | { readonly type: "chat"; readonly messages: readonly ChatMessage[] }
  /** What was just said, by people whom this person sees. */
  | { readonly type: "captions"; readonly spoken: readonly Spoken[] }
  /** From another browser of a direct meeting. */
  | { readonly type: "signal"; readonly from: string; readonly data: string }
  /** A moderator ended one's own sound, picture or share. */
  | { readonly type: "muted"; readonly media: readonly Medium[]; readonly by: string }
  /** The answer to a command. */
  | { readonly type: "reply"; readonly id: number; readonly ok: true }
  | {
      readonly type: "reply";
      readonly id: number;
      readonly ok: false;
      readonly code: Code;
      readonly message: string;
    }
  /** The seat has ended; the socket closes. */
  | { readonly type: "ended"; readonly reason: EndReason; readonly message: string };
