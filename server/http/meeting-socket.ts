import { setTimeout as sleep } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { CLOSE, type SessionParts, serveSession } from "../meetings/session.ts";
import type { Upgrade } from "./upgrades.ts";

/** The largest message: a description of a connection with many tracks. */
const LARGEST_BYTES = 128 * 1024;
/** How long the browsers have to close at the end. */
const END_MS = 2_000;

/** The meeting sockets of this process. */
export interface MeetingSockets {
  readonly path: "/api/meeting/socket";
  readonly handle: Upgrade["handle"];
  /** Asks every browser to connect elsewhere; resolves once their seats wait for them. */
  end(): Promise<void>;
}

/** Serves the meeting sockets (RFC 6455). */
export const meetingSockets = (parts: SessionParts): MeetingSockets => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LARGEST_BYTES,
  });
  const sessions = new Map<WebSocket, Promise<void>>();
  return {
    path: "/api/meeting/socket",
    handle: (request, socket, head, keep) =>
      server.handleUpgrade(request, socket, head, (open) => {
        const session = serveSession(open, parts, keep).finally(() => sessions.delete(open));
        sessions.set(open, session);
      }),
    async end() {
      for (const open of sessions.keys()) open.close(CLOSE.restart, "service restart");
      await Promise.race([Promise.all(sessions.values()), sleep(END_MS)]);
      for (const open of sessions.keys()) open.terminate();
      await Promise.all(sessions.values());
    },
  };
};
