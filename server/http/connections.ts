import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { countedAddress } from "../access/throttle.ts";
import type { Config } from "../config.ts";
import { trustedBy } from "./trusted.ts";

/*
 * Who may hold how many connections. A new connection is always taken: for one too many, of an
 * address or in all, the oldest one that waits for its client is closed. So whoever holds very many
 * closes its own, and a probe is answered whatever the others do.
 */

/** Connections at a time; each costs little. */
const CONNECTIONS = 4_000;
/** Connections of one address at a time. A proxy that is trusted may hold them all. */
const SHARE = 2_000;

/** The connections of one address, the oldest one first. */
interface Holder {
  readonly share: number;
  readonly sockets: Set<Socket>;
}

/** Keeps the connections below their number, in all and for each address. */
export const shareConnections = (
  server: Server,
  { trustProxy }: Pick<Config, "trustProxy">,
): void => {
  // And the one for which a place is made.
  server.maxConnections = CONNECTIONS + 1;
  const isTrusted = trustedBy(trustProxy);
  const holders = new Map<string, Holder>();
  const answers = new WeakMap<Socket, ServerResponse>();
  let open = 0;

  /** Whether the service works for it just now: a request is here as a whole, and its answer is not. */
  const isServed = (socket: Socket): boolean => {
    const answer = answers.get(socket);
    return answer?.req.complete === true && !answer.headersSent;
  };

  /** A proxy that is trusted comes last: its connections are those of many. */
  const isLarger = (one: Holder, other: Holder): boolean =>
    one.share === other.share ? one.sockets.size > other.sockets.size : one.share < other.share;

  /** Closes the oldest connection that waits for its client; the newest one where none does. */
  const makePlace = ({ sockets }: Holder): void => {
    const all = [...sockets];
    (all.find((socket) => !isServed(socket)) ?? all.at(-1))?.destroy();
  };

  server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (response.socket) answers.set(response.socket, response);
  });
  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    const address = countedAddress(remoteAddress);
    const share = isTrusted(remoteAddress) ? CONNECTIONS : SHARE;
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
    else if (open > CONNECTIONS) {
      makePlace([...holders.values()].reduce((a, b) => (isLarger(b, a) ? b : a)));
    }
  });
};
