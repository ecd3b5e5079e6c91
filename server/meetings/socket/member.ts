import type { Peer, ServerMessage } from "../../../contract/meetings/socket.ts";
import type { MayCall } from "../state/capture-signal.ts";
import type { Message } from "../state/messages.ts";

/** The browser at the other end of a meeting socket. */
export interface Client {
  readonly address: string;
  /** Where a capture's browser may send packets for it. */
  readonly mayCall: MayCall;
  /** Called once its ticket has been accepted. */
  readonly onEntered: () => void;
}

/** Somebody's socket. */
export interface Member {
  readonly seatId: string;
  /** Its number: a seat belongs to its latest socket, on any process. */
  readonly connection: number;
  /** The digest of the ticket that it came with. */
  readonly ticketDigest: string;
  readonly send: (message: ServerMessage) => void;
  /** What of a signal of theirs a capture gets; undefined: nothing. */
  readonly forCapture: (signal: string) => string | undefined;
  /** Closes the socket after `ended` was sent. */
  readonly close: () => void;
  /** Closes the socket without `ended`: a page that is still there connects again. */
  readonly drop: () => void;
}

/** What was last sent to a member. */
export interface Known {
  readonly member: Member;
  /** The parts of the view as JSON; undefined until `welcome`. */
  parts: ReadonlyMap<string, string> | undefined;
  peers: ReadonlyMap<string, Peer>;
  /** The IDs of the peers with whom the browser may exchange signals. */
  reached: ReadonlySet<string>;
  /** The number in the room of the last message of the chat. */
  chat: number;
  /** The last number that this person has got with a message. */
  chatNumber: number;
  /** The number of the last caption; undefined until the first look at them. */
  caption: number | undefined;
  /** The last message about the lobby, as JSON. */
  lobby: string;
}

/** A member to whom nothing was sent yet. */
export const newcomer = (member: Member): Known => ({
  member,
  parts: undefined,
  peers: new Map(),
  reached: new Set(),
  chat: 0,
  chatNumber: 0,
  caption: undefined,
  lobby: "",
});

/** A signal of a member on its way to a peer or, as far as it may get it, to a capture; [] to others. */
export const signalTo = (
  meetingId: string,
  to: string,
  data: string,
  { member, peers, reached }: Pick<Known, "member" | "peers" | "reached">,
): Message[] => {
  if (!reached.has(to)) return [];
  const passed = peers.has(to) ? data : member.forCapture(data);
  const signal = { type: "signal", from: member.seatId } as const;
  return passed === undefined
    ? []
    : [{ meetingId, seatId: to, message: { ...signal, data: passed } }];
};
