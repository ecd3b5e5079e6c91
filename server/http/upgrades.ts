import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Code } from "../../contract/kit/texts.ts";
import { MEETING_SOCKET } from "../../contract/meetings/meetings.ts";
import type { Config } from "../config/config.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import type { ServedSocket } from "../lib/upgrade.ts";
import { isProperRequest, lastFailure } from "./client-error.ts";
import type { Counting } from "./counting.ts";
import type { OverloadGuard } from "./overload.ts";
import { pathOfRequest } from "./urls.ts";

/** Answers a refused upgrade, and closes its connection. */
export const refuseUpgrade = (socket: Duplex, code: Code): void => {
  socket.end(lastFailure(code), () => socket.destroy());
};

const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";

/**
 * Returns whether a page of the service sends a request for which browsers always send Origin, such as a POST;
 * programs send none.
 */
export const isOfOwnPage = (
  { origin, host }: IncomingMessage["headers"],
  { publicUrl }: Pick<Config, "publicUrl">,
): boolean =>
  origin === undefined ||
  (URL.canParse(origin) && [host, new URL(publicUrl).host].includes(new URL(origin).host));

/**
 * Returns whether a page may open a WebSocket: of the service's own origin, or of CORS_ORIGINS. Browsers
 * send Origin with every WebSocket, but no preflight (RFC 6455, 10.2).
 */
const mayOpen = (
  { headers }: IncomingMessage,
  config: Pick<Config, "corsOrigins" | "publicUrl">,
): boolean => config.corsOrigins.includes(headers.origin ?? "") || isOfOwnPage(headers, config);

/**
 * Returns whether a request asks for a WebSocket. Other protocols are never chosen: such requests are
 * answered without them (RFC 9110, 7.8), like those of clients that offer HTTP/2.
 */
export const isWebSocket = ({ headers: { upgrade = "" } }: IncomingMessage): boolean =>
  upgrade.toLowerCase() === "websocket";

/** The code of the refusal that a check throws; undefined if none. */
const refusalOf = (check: () => void): Code | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

/**
 * Serves WebSockets by path; others are answered and closed. They count by address: a ticket that
 * opens one and closes it again costs as much as a change.
 *
 * @param config read with each request: PUBLIC_URL may be known only once the service listens
 * @param keep keeps a connection's place among those of its address
 */
export const serveUpgrades = (
  server: Server,
  config: Pick<Config, "basePath" | "corsOrigins" | "publicUrl">,
  upgrades: readonly ServedSocket[],
  {
    guard,
    count,
    keep,
  }: {
    readonly guard: OverloadGuard;
    readonly count: Counting["socket"];
    readonly keep: (socket: Duplex) => void;
  },
): void => {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    // As for other requests (app.ts).
    request.url = pathOfRequest(request.url ?? "", config.basePath);
    const upgrade = upgrades.find(({ path }) => path === pathOf(request));
    const tooMuch = refusalOf(() => {
      guard.admit(request.url ?? "");
      count(request);
    });
    if (!isProperRequest(request)) refuseUpgrade(socket, "invalid_request");
    else if (tooMuch) refuseUpgrade(socket, tooMuch);
    else if (!upgrade) refuseUpgrade(socket, "not_found");
    else if (!mayOpen(request, config)) refuseUpgrade(socket, "foreign_origin");
    else upgrade.handle(request, socket, head, () => keep(socket));
  });
};

const HINT =
  "a proxy lets no WebSocket through to meetings: make it forward Upgrade and Connection (docs/https.md)";

/**
 * Answers requests to the meeting socket that ask for no WebSocket, and logs them at most once an
 * hour. Such a request is a handshake whose `Upgrade` a proxy removed, or the question of a page
 * whose requests arrive although its WebSocket does not open.
 */
export const answerWithoutUpgrade = (app: FastifyInstance, log: Pick<Logger, "warn">): void => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  app.get(MEETING_SOCKET, (_request, reply) => {
    if (performance.now() - loggedAt >= HOUR_MS) {
      loggedAt = performance.now();
      log.warn(HINT);
    }
    reply.header("connection", "upgrade").header("upgrade", "websocket");
    return refuse("upgrade_needed");
  });
};
