import type { Peer, ServerMessage } from "../../contract/meeting-socket.ts";

/** Somebody's socket. */
export interface Member {
  readonly seatId: string;
  /** Its number: a seat belongs to its latest socket, on whichever process. */
  readonly connection: number;
  /** The digest of the ticket that it came with. */
  readonly ticketDigest: string;
  readonly send: (message: ServerMessage) => void;
  /** After `ended` was sent. */
  readonly close: () => void;
  /** Closes without a word: a page that is still there connects again. */
  readonly drop: () => void;
}

/** What a member was sent last. */
export interface Known {
  readonly member: Member;
  /** The parts of the view as JSON; undefined until `welcome`. */
  parts: ReadonlyMap<string, string> | undefined;
  peers: ReadonlyMap<string, Peer>;
  /** The IDs of those with whom the browser may exchange signals. */
  reached: ReadonlySet<string>;
  /** The number of the last message of the chat. */
  chat: number;
  /** The number of the last caption; undefined until the first look at them. */
  caption: number | undefined;
  /** What the lobby said last. */
  lobby: string;
}

/** Somebody who was sent nothing yet. */
export const newcomer = (member: Member): Known => ({
  member,
  parts: undefined,
  peers: new Map(),
  reached: new Set(),
  chat: 0,
  caption: undefined,
  lobby: "",
});
