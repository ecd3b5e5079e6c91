import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { countedAddress } from "../access/throttle.ts";
import type { Config } from "../config/config.ts";
import { isAmong } from "../lib/networks.ts";
import type { CarrierOf } from "./carriers.ts";
import { limits } from "./limits.ts";

/*
 * Limits connections, in total and per address. A new one is always accepted: beyond a limit, the
 * oldest that waits for its client is closed. So a client with too many loses its own, and probes
 * are always answered. A connection counts from its first byte, with TLS from before the handshake.
 */

/** An address's connections, oldest first. */
interface Holder {
  readonly share: number;
  readonly sockets: Set<Socket>;
}

/**
 * Keeps connections within their limits, in total and per address.
 *
 * @returns a function that protects a connection from being closed for a new one: a WebSocket of a
 * known client does not count as waiting, however silent
 */
export const shareConnections = (
  server: Server,
  { trustProxy }: Pick<Config, "trustProxy">,
  carrierOf: CarrierOf,
): ((socket: Duplex) => void) => {
  // Plus the new one, for which another is closed.
  server.maxConnections = limits.connections + 1;
  const isTrusted = isAmong(trustProxy);
  const holders = new Map<string, Holder>();
  const answers = new WeakMap<Socket, ServerResponse>();
  const kept = new WeakSet<Socket>();
  let open = 0;

  /** Whether the service is working on it: the request is complete, the answer is not. */
  const isServed = (socket: Socket): boolean => {
    if (kept.has(socket)) return true;
    const answer = answers.get(socket);
    return answer?.req.complete === true && !answer.headersSent;
  };

  /** A trusted proxy comes last: its connections are many people's. */
  const isLarger = (one: Holder, other: Holder): boolean =>
    one.share === other.share ? one.sockets.size > other.sockets.size : one.share < other.share;

  /** Closes the oldest connection that waits for its client; the newest one where none does. */
  const makePlace = ({ sockets }: Holder): void => {
    const waiting = sockets.values().find((socket) => !isServed(socket));
    (waiting ?? [...sockets].at(-1))?.destroy();
  };

  server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (response.socket) answers.set(carrierOf(response.socket), response);
  });
  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    const address = countedAddress(remoteAddress);
    const share = isTrusted(remoteAddress) ? limits.connections : limits.connectionsOfOne;
    const holder = holders.get(address) ?? { share, sockets: new Set<Socket>() };
    holders.set(address, holder);
    holder.sockets.add(socket);
    open += 1;
    socket.once("close", () => {
      open -= 1;
      holder.sockets.delete(socket);
      if (holder.sockets.size === 0) holders.delete(address);
    });
    if (holder.sockets.size > holder.share) makePlace(holder);
    else if (open > limits.connections) {
      makePlace([...holders.values()].reduce((a, b) => (isLarger(b, a) ? b : a)));
    }
  });
  // Node gives an upgrade's socket as a stream; it is the connection's own.
  return (socket) => void kept.add(carrierOf(socket as Socket));
};
