import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { MEETING_SOCKET } from "../../contract/meetings/meetings.ts";
import type { Config } from "../config/config.ts";
import { addressOf } from "../lib/networks.ts";
import type { ServedSocket } from "../lib/upgrade.ts";
import { callsFor } from "../meetings/captures/signal.ts";
import { CLOSE, type SessionParts, serveSession } from "../socket/session.ts";
import { limits } from "./limits.ts";

/** The largest message: a description of a connection with many tracks. */
const LARGEST_BYTES = 128 * 1024;
/**
 * Cuts a connection that sends more before its ticket is known than a request without a token may:
 * otherwise anybody could let the service keep endless messages.
 *
 * @returns a function to call once the ticket is accepted
 */
const limitUnknown = (socket: Duplex): (() => void) => {
  let bytes = 0;
  const count = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > limits.bodiesOfStrangers.body) socket.destroy();
  };
  socket.on("data", count);
  return () => void socket.off("data", count);
};

/** How long browsers have to close at the end. */
const END_MS = 2_000;

/** The meeting sockets of this process. */
export interface MeetingSockets {
  readonly path: typeof MEETING_SOCKET;
  readonly handle: ServedSocket["handle"];
  /** Asks every browser to connect again; resolves once their seats wait for them. */
  cutAll(): Promise<void>;
  /** The same, and refuses returns: they go to another process. */
  end(): Promise<void>;
}

/** Serves the meeting sockets (RFC 6455). */
export const meetingSockets = (
  parts: SessionParts,
  config: Pick<Config, "trustProxy" | "allowedNetworks" | "media">,
): MeetingSockets => {
  const from = addressOf(config.trustProxy);
  const calls = callsFor(config);
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LARGEST_BYTES,
  });
  const sessions = new Map<WebSocket, Promise<void>>();
  const cutAll = async (): Promise<void> => {
    // Not those who have returned already.
    const sockets = [...sessions.keys()];
    const ended = Promise.all(sessions.values());
    for (const open of sockets) open.close(CLOSE.restart, "service restart");
    await Promise.race([ended, sleep(END_MS)]);
    for (const open of sockets) open.terminate();
    // Without a database, this process gives up its seats later.
    await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
  };
  return {
    path: MEETING_SOCKET,
    handle: (request, socket, head, keep) =>
      server.handleUpgrade(request, socket, head, (open) => {
        const address = from(request);
        const known = limitUnknown(socket);
        const onEntered = (): void => {
          known();
          keep();
        };
        const client = { address, mayCall: calls(address), onEntered };
        const session = serveSession(open, parts, client).finally(() => sessions.delete(open));
        sessions.set(open, session);
      }),
    cutAll,
    end() {
      server.close();
      return cutAll();
    },
  };
};
