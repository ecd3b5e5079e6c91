import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { HOUR_MS } from "../lib/durations.ts";
import { refuse } from "../lib/refusal.ts";
import { SOCKET } from "../meetings/doors/join.ts";

const HINT =
  "a proxy lets no WebSocket through to meetings: make it forward Upgrade and Connection (docs/meetings.md, HTTPS and proxies)";

/**
 * Answers requests to the meeting socket that ask for no WebSocket, and logs them at most once an
 * hour. Such a request is a handshake whose `Upgrade` a proxy removed, or the question of a page
 * whose requests arrive although its WebSocket does not open.
 */
export const answerWithoutUpgrade = (app: FastifyInstance, log: Pick<Logger, "warn">): void => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  app.get(SOCKET, (_request, reply) => {
    if (performance.now() - loggedAt >= HOUR_MS) {
      loggedAt = performance.now();
      log.warn(HINT);
    }
    reply.header("connection", "upgrade").header("upgrade", "websocket");
    return refuse("upgrade_needed");
  });
};
