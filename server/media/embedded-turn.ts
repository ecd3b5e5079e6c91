import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Logger } from "pino";
import type { EmbeddedTurn } from "../config/media.ts";
import { type IceServer, iceServers, turnPassword } from "./turn.ts";
import { type FindAccount, TurnServer } from "./turn-server.ts";

/** The accounts of a secret: each follows from its name, so nothing is kept of them. */
const accountsOf =
  (turnSecret: string): FindAccount =>
  (username) => {
    const [, expiry, seat] = /^(\d{1,12}):(.+)$/.exec(username) ?? [];
    if (expiry === undefined || seat === undefined) return undefined;
    const isCurrent = Date.now() < Number(expiry) * 1000;
    return { seat, password: turnPassword(turnSecret, username), isCurrent };
  };

/** The TURN server of this process, for meetings whose browsers connect directly. */
export interface OwnTurn {
  /** The credentials that one person's browser needs. */
  readonly of: (seat: string) => readonly IceServer[];
  readonly stop: () => void;
}

/**
 * Starts it. Where its port is taken, people meet without it.
 *
 * @param secret of this installation
 */
export const openEmbeddedTurn = async (
  turn: EmbeddedTurn,
  secret: string,
  log: Pick<Logger, "error">,
): Promise<OwnTurn> => {
  const turnSecret = createHmac("sha256", secret).update("turn").digest("hex");
  const server = await TurnServer.open(turn, accountsOf(turnSecret)).catch((err: unknown) => {
    log.error({ err, port: turn.port }, "the TURN server cannot listen on its port (TURN_PORT)");
    return undefined;
  });
  const host = isIPv6(turn.address) ? `[${turn.address}]` : turn.address;
  const turnUrls = [`turn:${host}:${turn.port}?transport=udp`];
  return {
    of: (seat) => (server ? iceServers({ stunUrls: [], turnUrls, turnSecret }, seat) : []),
    stop: () => server?.close(),
  };
};
