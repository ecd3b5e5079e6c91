import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Config } from "../config.ts";

/** A WebSocket that the service serves. */
export interface Upgrade {
  readonly path: string;
  readonly handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Answers an upgrade that is not made, and closes its connection. */
export const refuseUpgrade = (socket: Duplex, status: 400 | 403 | 404 | 503): void => {
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
  socket.end(text, () => socket.destroy());
};

const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";

/**
 * Whether a page may open a WebSocket: one of the service's own origin, or of CORS_ORIGINS. Browsers
 * send Origin with every WebSocket and ask nobody (RFC 6455, 10.2); programs send none.
 */
const isOwnPage = (
  { headers: { origin, host } }: IncomingMessage,
  { corsOrigins, publicUrl }: Pick<Config, "corsOrigins" | "publicUrl">,
): boolean => {
  if (origin === undefined || corsOrigins.includes(origin)) return true;
  return URL.canParse(origin) && [host, new URL(publicUrl).host].includes(new URL(origin).host);
};

/** Serves WebSockets by their paths; every other upgrade is answered and closed. */
export const serveUpgrades = (
  server: Server,
  config: Pick<Config, "corsOrigins" | "publicUrl">,
  upgrades: readonly Upgrade[],
): void => {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const upgrade = upgrades.find(({ path }) => path === pathOf(request));
    if (!upgrade) refuseUpgrade(socket, 404);
    else if (!isOwnPage(request, config)) refuseUpgrade(socket, 403);
    else upgrade.handle(request, socket, head);
  });
};
