import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

/*
 * With TLS a connection has two sockets: the carrier, which is there from the first byte, and the one
 * of its requests, which Node makes when the handshake is done. Connections are counted and closed
 * by their carriers, so that half a handshake counts as well. Node does not tell which carrier
 * belongs to a socket; the addresses of both ends do.
 */

/** The carrier of a socket of requests; without TLS, the socket itself. */
export type CarrierOf = (socket: Socket) => Socket;

const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/** Follows the connections of a server from its start on. */
export const followCarriers = (server: Server): CarrierOf => {
  if (!(server instanceof TlsServer)) return (socket) => socket;
  const carriers = new Map<string, Socket>();
  const known = new WeakMap<Socket, Socket>();
  server.on("connection", (socket) => {
    const ends = endsOf(socket);
    carriers.set(ends, socket);
    socket.once("close", () => {
      // The ends may be those of another connection already.
      if (carriers.get(ends) === socket) carriers.delete(ends);
    });
  });
  server.on("secureConnection", (socket) => {
    const carrier = carriers.get(endsOf(socket));
    if (carrier) known.set(socket, carrier);
  });
  return (socket) => known.get(socket) ?? carriers.get(endsOf(socket)) ?? socket;
};
