import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Server as TlsServer } from "node:tls";
import type { FastifyInstance } from "fastify";
import type { CarrierOf } from "./carriers.ts";

/*
 * Closing the server at once would cut requests on kept-alive connections; waiting until every
 * connection closes could take forever. So it drains.
 */

/** How long running requests may take once no new ones are accepted; slower ones are cut. */
const LONGEST_MS = 25_000;
/** A connection that is silent for this long carries no request. */
const SILENT_MS = 1_000;
const LOOK_MS = 100;

/** A service that is about to stop. */
export interface Draining {
  /** Returns whether the service is draining: it is not ready, and every answer closes its connection. */
  isDraining(): boolean;
  /** Starts draining; resolves once a proxy has had time to notice. Requests are still accepted. */
  start(seconds: number): Promise<void>;
}

/** Closes connections without a request while the server waits, and all in the end. */
const closeConnections = (app: FastifyInstance, carrierOf: CarrierOf): void => {
  /** The open connections, and each one's socket of requests; with TLS after the handshake. */
  const open = new Map<Socket, Socket | undefined>();
  const { server } = app;
  const isTls = server instanceof TlsServer;
  server.on("connection", (socket: Socket) => {
    open.set(socket, isTls ? undefined : socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("secureConnection", (socket: Socket) => open.set(carrierOf(socket), socket));
  let looking: NodeJS.Timeout | undefined;
  app.addHook("preClose", (done) => {
    const since = performance.now();
    looking = setInterval(() => {
      const passed = performance.now() - since;
      app.server.closeIdleConnections();
      // Node does not count a connection as idle that never sent anything.
      for (const [carrier, socket] of open) {
        if ((socket?.bytesRead ?? 0) === 0 && passed > SILENT_MS) carrier.destroy();
      }
      if (passed > LONGEST_MS) for (const carrier of open.keys()) carrier.destroy();
    }, LOOK_MS);
    done();
  });
  app.addHook("onClose", async () => clearInterval(looking));
};

export const startDraining = (app: FastifyInstance, carrierOf: CarrierOf): Draining => {
  let draining = false;
  closeConnections(app, carrierOf);
  // In onSend: requests from before the drain close their connection too.
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (draining) reply.header("connection", "close");
    done(null, payload);
  });
  return {
    isDraining: () => draining,
    start: async (seconds) => {
      draining = true;
      if (seconds > 0) await sleep(seconds * 1000);
    },
  };
};
