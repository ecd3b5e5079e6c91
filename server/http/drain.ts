import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/*
 * Draining: closing a server at once would cut requests that are on their way on connections kept
 * alive; waiting for every connection to close by itself would take as long as clients like.
 */

/** How long running requests may take once no new ones are taken; what is slower is cut. */
const LONGEST_MS = 25_000;
/** A connection on which nothing came by then carries no request. */
const SILENT_MS = 1_000;
const LOOK_MS = 100;

/** A service that leaves. */
export interface Draining {
  /** Whether the service is leaving: it is not ready, and every answer closes its connection. */
  isDraining(): boolean;
  /** Begins to leave; ends after the time that a proxy needs to notice. Requests are still taken. */
  start(seconds: number): Promise<void>;
}

/** Closes what carries no request while the server waits for its connections, and in the end all. */
const closeConnections = (app: FastifyInstance): void => {
  const open = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  let looking: NodeJS.Timeout | undefined;
  app.addHook("preClose", (done) => {
    const since = performance.now();
    looking = setInterval(() => {
      const passed = performance.now() - since;
      app.server.closeIdleConnections();
      // Those that never sent anything are not idle to Node.
      for (const socket of open) {
        if (socket.bytesRead === 0 && passed > SILENT_MS) socket.destroy();
      }
      if (passed > LONGEST_MS) app.server.closeAllConnections();
    }, LOOK_MS);
    done();
  });
  app.addHook("onClose", async () => clearInterval(looking));
};

export const startDraining = (app: FastifyInstance): Draining => {
  let draining = false;
  closeConnections(app);
  // At the end of a request: those that were begun before close their connection as well.
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
