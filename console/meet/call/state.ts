import type { Reply } from "../../../contract/kit/operation.ts";
import type {
  Captured,
  EnteredRoom,
  fetchInvitation,
  PeerType,
} from "../../../contract/meetings/meetings.ts";
import type { ChatMessage, EndReason, View } from "../../../contract/meetings/socket.ts";
import type { Spoken } from "../../../contract/meetings/transcripts.ts";
import type { MeetingLayout } from "../../embed/protocol.ts";
import { kept } from "./kept.ts";
import type { Received } from "./media.ts";
import type { OwnQuality } from "./quality.ts";
import type { WayState } from "./way.ts";

export type Invitation = Reply<typeof fetchInvitation>["invitation"];

/** Why a meeting is over for somebody: as the service says it, or as only the page knows. */
export type Ending = EndReason | "stopped_waiting" | "stream_over" | "invitation_ended" | "blocked";

/** The stages of a person's path through a meeting. */
export type Stage =
  | { readonly name: "loading" }
  | { readonly name: "failed"; readonly failure: unknown }
  /** `quiet`: devices stay closed until the person turns them on, as after watching the live stream. */
  | { readonly name: "before"; readonly quiet?: boolean }
  | { readonly name: "joining" }
  /** After a reload of the page. */
  | { readonly name: "returning" }
  /** The live stream, watched without a seat; no playlist: it has broken off, and is being reopened. */
  | {
      readonly name: "watching";
      readonly playlist: string | undefined;
      readonly roomName: string;
    }
  | ({
      readonly name: "lobby";
      readonly room: EnteredRoom;
      readonly moderated: boolean;
      readonly passwordRequired: boolean;
      readonly waitsFor: "moderator" | "host" | "seat";
      /** True while the connection is lost. */
      readonly isLost?: boolean;
    } & Captured)
  | { readonly name: "inside" }
  | { readonly name: "reconnecting" }
  | {
      readonly name: "ended";
      readonly reason: Ending;
      /** The text that says more than the reason; "" for none. */
      readonly message: string;
    };

/** The values with which a person enters. */
export interface Entry {
  readonly peerName: string;
  readonly password: string;
  readonly peerType: PeerType | undefined;
  /** True to wait where no seat is free. */
  readonly waitsForSeat?: boolean;
  /** True if the person keeps their seat on another device, and this is their second one. */
  readonly secondDevice?: boolean;
}

export type Panel = "people" | "chat" | "none";

export interface Meeting {
  readonly stage: Stage;
  readonly invitation: Invitation | undefined;
  /** Why entering failed; undefined: it did not. */
  readonly failure: unknown;
  readonly view: View | undefined;
  readonly chat: readonly ChatMessage[];
  /** Messages that came while the chat was closed. */
  readonly unread: number;
  /** The draft for the chat, which is kept while the chat is closed. */
  readonly draft: string;
  readonly people: ReadonlyMap<string, Received>;
  /** This person's connection with the media engine, where there is one. */
  readonly ownWay: WayState;
  /** True if the client that carries pictures and sound failed to load. */
  readonly mediaFailed: boolean;
  /** How good this person's connection is; undefined: not measured yet. */
  readonly ownQuality: OwnQuality | undefined;
  readonly speaking: ReadonlySet<string>;
  readonly panel: Panel;
  /** The layout that this person has chosen; undefined: that of the room's type. */
  readonly layout: MeetingLayout | undefined;
  /** The newest captions, the latest last. */
  readonly captions: readonly Spoken[];
  readonly showsCaptions: boolean;
  /** True to hide this person's own picture from them. */
  readonly hidesSelf: boolean;
  /** The ticket of the last seat, which rates the connection after the meeting. */
  readonly lastTicket: string | undefined;
  /** True if the meeting was recorded while this person was inside. */
  readonly wasRecorded: boolean;
}

export const beforeMeeting: Meeting = {
  stage: { name: "loading" },
  invitation: undefined,
  failure: undefined,
  view: undefined,
  chat: [],
  unread: 0,
  draft: "",
  people: new Map(),
  ownWay: "connecting",
  mediaFailed: false,
  ownQuality: undefined,
  speaking: new Set(),
  panel: "none",
  layout: undefined,
  captions: [],
  showsCaptions: kept().captions,
  hidesSelf: kept().hidesSelf,
  lastTicket: undefined,
  wasRecorded: false,
};

/** Everybody in tiles of one size, or the speaker large: at an event, who speaks fills the stage. */
export const layoutOf = (
  { layout }: Pick<Meeting, "layout">,
  { room }: Pick<View, "room">,
): MeetingLayout => layout ?? (room.roomType === "event" ? "speaker" : "grid");
