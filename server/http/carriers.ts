import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

/*
 * With TLS a connection has two sockets: the carrier, there from the first byte, and the one of its
 * requests, which Node makes after the handshake. Connections are counted and closed by carriers,
 * so half a handshake counts too. Node does not pair them; the addresses of both ends do.
 */

/** The carrier of a socket of requests; without TLS, the socket itself. */
export type CarrierOf = (socket: Socket) => Socket;

const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/** Follows a server's connections from its start on. */
export const followCarriers = (server: Server): CarrierOf => {
  if (!(server instanceof TlsServer)) return (socket) => socket;
  const carriers = new Map<string, Socket>();
  const known = new WeakMap<Socket, Socket>();
  server.on("connection", (socket) => {
    const ends = endsOf(socket);
    carriers.set(ends, socket);
    socket.once("close", () => {
      // The addresses may be another connection's already.
      if (carriers.get(ends) === socket) carriers.delete(ends);
    });
  });
  server.on("secureConnection", (socket) => {
    const carrier = carriers.get(endsOf(socket));
    if (carrier) known.set(socket, carrier);
  });
  return (socket) => known.get(socket) ?? carriers.get(endsOf(socket)) ?? socket;
};
