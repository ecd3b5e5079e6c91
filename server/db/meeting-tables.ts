import type { Generated, Selectable, Updateable } from "kysely";

/*
 * The tables of meetings. A seat is the only record that somebody is inside: it is counted in the
 * transaction that claims it, and nobody gets into the media engine without one.
 */

/** One row per meeting. At most one of a room has not ended. */
export interface MeetingsTable {
  /** Also the name of the media engine's room. */
  readonly id: string;
  readonly organization_id: string;
  readonly room_id: string;
  /** How pictures and sound travel. */
  readonly media: "direct" | "livekit";
  /**
   * The type of the room when the meeting began: a change counts from the next meeting. Null: the
   * meeting began before there was this column.
   */
  readonly room_type: string | null;
  /** When the first seat was claimed. */
  readonly opened_at: string;
  /** When the first person was inside; null: nobody came yet. */
  readonly started_at: string | null;
  /** The last moment at which somebody was inside; null while the meeting runs. */
  readonly ended_at: string | null;
  /** The seconds with somebody inside; null while the meeting runs. */
  readonly seconds: number | null;
  readonly locked: boolean;
  /** The seat with the only place of a presenter. */
  readonly presenter: string | null;
  /** True if people who enter begin with the microphone off. */
  readonly mutes_entry: Generated<boolean>;
}

/** Somebody's place in a meeting, and afterwards the record of the attendance. */
export interface SeatsTable {
  /** Also the peerId, and the identity in the media engine. */
  readonly id: string;
  readonly organization_id: string;
  readonly room_id: string;
  readonly meeting_id: string;
  /**
   * The last three are captures, no people (meetings/seats/seat.ts): they record the meeting, stream it
   * live, or turn its sound into text.
   */
  readonly role: "moderator" | "participant" | "viewer" | "recorder" | "streamer" | "transcriber";
  /**
   * Who: `user:ID`, `guest:RANDOM`, `key:ID` as an application names them, or `capture:RANDOM`; for
   * somebody who was deleted for good, `gone:` and the ID of one of their seats in this meeting.
   */
  readonly person: string;
  /** The account; null for others, and when it is gone. */
  readonly user_id: string | null;
  readonly peer_name: string;
  /**
   * waiting: before the door, not counted; returning: the page was closed or is being reloaded, not
   * counted; claimed: the seat is taken, the person not yet there;
   * inside; away: connection lost, the seat is kept; leaving: counts until the media engine has let
   * the person go; left: over.
   */
  readonly state: "waiting" | "returning" | "claimed" | "inside" | "away" | "leaving" | "left";
  /** SHA-256 of the ticket, hexadecimal; a new join replaces it. */
  readonly ticket_digest: string;
  /** Until when it is kept without a connection; null while connected. */
  readonly lease_until: string | null;
  /** The process that holds the meeting socket; null without one. */
  readonly process: string | null;
  /** Raised with each connection, so that the end of an old one does not affect a newer one. */
  readonly connection: number;
  /** The same for the connection to the media engine. */
  readonly media_process: string | null;
  readonly media_connection: number;
  readonly claimed_at: string;
  /**
   * For somebody who came with an account or an invitation: the guest that the same browser would be
   * without these. Null for others, and after the meeting.
   */
  readonly device: string | null;
  /**
   * A guest's address, as a digest, while the seat waits or is claimed; null once a moderator has
   * admitted them, once they are inside, and for everybody else.
   */
  readonly claimed_from: string | null;
  /** When the person was first inside; null: never. */
  readonly joined_at: string | null;
  /** The last moment at which the person was certainly there. */
  readonly last_seen: string | null;
  readonly left_at: string | null;
  /** Why it ended (contract/meetings/socket.ts, EndReason). */
  readonly reason: string | null;
  /** The devices that are on; of a capture: what it receives. */
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  /** When the current or last share of the screen began; null: there was none. */
  readonly share_since: string | null;
  readonly hand_at: string | null;
  /** True if a viewer was allowed to take part: counts toward noOfUpgradeRequests. */
  readonly upgraded: boolean;
  /** A request for an upgrade, or the offer of one; null: neither. */
  readonly upgrade: "asked" | "offered" | null;
  /**
   * When the request or offer was made, or when an upgraded viewer began to take part; null: neither,
   * or the page was reloaded since.
   */
  readonly upgrade_at: string | null;
  /**
   * The highest role that moderators have left the person, on the seats that they had had in the meeting by
   * then; null: none was taken from them.
   */
  readonly role_limit: "moderator" | "participant" | "viewer" | null;
  /** How good the connection is, as the page last measured it; null: not known. */
  readonly quality: Generated<"good" | "fair" | "poor" | null>;
  /** True if the person came back after a reload of the page: nobody new. */
  readonly returns: Generated<boolean>;
  /** How the person rated the connection afterwards, from 1 to 5; null: not, or erased. */
  readonly rating: Generated<number | null>;
  /**
   * For what a place before the door waits: a host who comes, or a seat that becomes free; null: for a moderator
   * who lets the person in, and for every other seat.
   */
  readonly waits_for: "host" | "seat" | null;
  /** The metadata of the application that invited the person: a JSON object; null for none. */
  readonly metadata: string | null;
  /** True if a moderator lets the person in whatever the room says, because the invitation says so. */
  readonly held: Generated<boolean>;
  /** True if it is the person's second device, beside the seat that they have: it has no sound. */
  readonly second: Generated<boolean>;
  /** When a moderator last muted the person; null: never. */
  readonly muted_at: string | null;
}

export interface ChatTable {
  readonly room_id: string;
  /** From 1 in each room: under the organization's row, so a later message has a larger number. */
  readonly number: number;
  readonly meeting_id: string;
  readonly seat_id: string;
  readonly peer_name: string;
  /** Empty once its person is deleted for good. */
  readonly text: string;
  readonly sent_at: string;
  /** Of the person as they wrote it: it decides who may read it. Null, of older messages: as if no moderator's. */
  readonly role: SeatsTable["role"] | null;
}

/** Messages to somebody who is connected to another process than the sender is. */
export interface SeatMessagesTable {
  readonly id: string;
  readonly meeting_id: string;
  readonly seat_id: string;
  /** JSON: a message of the meeting socket. */
  readonly message: string;
  readonly sent_at: string;
}

/** The people who may not enter a room. */
export interface BansTable {
  readonly id: string;
  readonly organization_id: string;
  readonly room_id: string;
  /** Only for this meeting; null: until `ends_at`, or for good. */
  readonly meeting_id: string | null;
  readonly person: string;
  readonly created_at: string;
  /** When it ends by itself; null: with the meeting, or never. */
  readonly ends_at: string | null;
  /** The seat from which they were excluded: the same for a person and for their browser. */
  readonly seat_id: string | null;
}

/** The codes that open rooms. An ended one is kept, so that its link says that it has ended. */
export interface RoomLinksTable {
  readonly code: string;
  readonly organization_id: string;
  readonly room_id: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  /** True if it ended with a meeting: it still tells when the room is used next, and opens nothing. */
  readonly is_over: Generated<boolean>;
}

/** Invitations of one named person, made with an access key. */
export interface InvitationsTable {
  /** SHA-256 of the session token, hexadecimal. */
  readonly digest: string;
  readonly organization_id: string;
  readonly room_id: string;
  readonly access_key_id: string;
  /** As in `seats`. */
  readonly person: string;
  readonly peer_name: string;
  readonly role: "moderator" | "participant" | "viewer";
  readonly created_at: string;
  readonly expires_at: string;
  /** True if it ends with a meeting of its room, at the latest when it expires. */
  readonly until_meeting: Generated<boolean>;
  /** As in `seats`. */
  readonly metadata: string | null;
  /** True if a moderator lets the person in, false if nobody has to; null: as the room says. */
  readonly lobby: boolean | null;
  /** Where the person goes after the meeting; null: nowhere. */
  readonly return_url: string | null;
}

/** Every running process of the service that holds sockets of meetings. */
export interface ProcessesTable {
  readonly id: string;
  readonly alive_at: string;
  /** How many recordings it can make at once; 0: it cannot. */
  readonly recorders: Generated<number>;
  /** True if it is meant to record (RECORDERS), also while Chromium or ffmpeg is missing. */
  readonly records: Generated<boolean>;
}

/*
 * The columns of rows that are read whole: a kept text (prepared.ts) lists them, so that a migration does not
 * change what it answers.
 */

export const meetingColumns = [
  ...(["id", "organization_id", "room_id", "media", "room_type", "opened_at"] as const),
  ...(["started_at", "ended_at", "seconds", "locked", "presenter", "mutes_entry"] as const),
];

export const seatColumns = [
  ...(["id", "organization_id", "room_id", "meeting_id", "role", "person", "user_id"] as const),
  ...(["peer_name", "state", "ticket_digest", "lease_until", "process", "connection"] as const),
  ...(["media_process", "media_connection", "claimed_at", "device", "claimed_from"] as const),
  ...(["joined_at", "last_seen", "left_at", "reason", "audio", "video", "share"] as const),
  ...(["share_since", "hand_at", "upgraded", "upgrade", "upgrade_at", "role_limit"] as const),
  ...([
    "quality",
    "returns",
    "rating",
    "waits_for",
    "metadata",
    "held",
    "second",
    "muted_at",
  ] as const),
];

export type MeetingRow = Selectable<MeetingsTable>;
export type SeatRow = Selectable<SeatsTable>;
export type BanRow = Selectable<BansTable>;
export type SeatUpdate = Updateable<SeatsTable>;
