import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** A WebSocket that the service serves. */
export interface ServedSocket {
  readonly path: string;
  /** Takes the connection over. Calls `keep` once the client is known: see http/connections.ts. */
  readonly handle: (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    keep: () => void,
  ) => void;
  /** The status for a GET of `path`/validate, by which a client asks why its ticket was refused. */
  readonly validate?: (ticket: string) => Promise<number>;
}
