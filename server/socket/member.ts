import type { ServerMessage } from "../../contract/meetings/socket.ts";
import type { MayCall } from "../meetings/captures/signal.ts";

/** The browser at the other end of a meeting socket. */
export interface SocketClient {
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
  /** The part of their signal that a capture gets; undefined for none. */
  readonly forCapture: (signal: string) => string | undefined;
  /** Closes the socket after `ended` was sent. */
  readonly close: () => void;
  /** Closes the socket without `ended`: a page that is still there connects again. */
  readonly drop: () => void;
}
