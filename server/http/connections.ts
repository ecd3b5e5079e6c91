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
 * People in meetings have limits of their own, so that neither they nor requests take the other's places.
 */

/** An address's connections. */
interface Holder {
  /** How many it may have. */
  readonly share: number;
  /** Those of requests, oldest first. */
  readonly sockets: Set<Socket>;
  /** How many WebSockets of people in meetings it has. */
  people: number;
}

/**
 * Keeps connections within their limits, in total and per address.
 *
 * @returns a function that counts a connection as that of a person in a meeting: it is not closed for a new one,
 * however silent
 */
export const shareConnections = (
  server: Server,
  { trustProxy }: Pick<Config, "trustProxy">,
  carrierOf: CarrierOf,
): ((socket: Duplex) => void) => {
  // Plus the new one, for which another is closed.
  server.maxConnections = limits.connections + limits.connectionsOfPeople + 1;
  const isTrusted = isAmong(trustProxy);
  const holders = new Map<string, Holder>();
  const holderOf = new WeakMap<Socket, Holder>();
  const answers = new WeakMap<Socket, ServerResponse>();
  let open = 0;
  let people = 0;

  /** Returns whether the service is working on it: the request is complete, the answer is not. */
  const isServed = (socket: Socket): boolean => {
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
    const share = isTrusted(remoteAddress) ? Number.POSITIVE_INFINITY : limits.connectionsOfOne;
    const holder = holders.get(address) ?? { share, sockets: new Set<Socket>(), people: 0 };
    holders.set(address, holder);
    holderOf.set(socket, holder);
    holder.sockets.add(socket);
    open += 1;
    socket.once("close", () => {
      if (holder.sockets.delete(socket)) open -= 1;
      else {
        holder.people -= 1;
        people -= 1;
      }
      if (holder.sockets.size + holder.people === 0) holders.delete(address);
    });
    if (holder.sockets.size + holder.people > holder.share) makePlace(holder);
    else if (open > limits.connections) {
      makePlace([...holders.values()].reduce((a, b) => (isLarger(b, a) ? b : a)));
    }
  });
  return (socket) => {
    // Node gives an upgrade's socket as a stream; it is the connection's own.
    const carrier = carrierOf(socket as Socket);
    const holder = holderOf.get(carrier);
    // Closed, or kept, already.
    if (!holder?.sockets.delete(carrier)) return;
    open -= 1;
    holder.people += 1;
    people += 1;
    if (people > limits.connectionsOfPeople) carrier.destroy();
  };
};
