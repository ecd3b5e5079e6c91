import type { FastifyInstance } from "fastify";

/** Whether the service is leaving. */
export interface Draining {
  readonly isDraining: () => boolean;
  /**
   * Says goodbye: from now on the service is not ready and every answer closes its connection,
   * while requests are still accepted. Ends after the time that a proxy needs to notice.
   */
  start(seconds: number): Promise<void>;
}

/**
 * Draining: closing a server at once would cut requests that are on their way on connections kept
 * alive.
 */
export const drainable = (app: FastifyInstance): Draining => {
  let draining = false;
  app.addHook("onSend", async (_request, reply) => {
    if (draining) reply.header("connection", "close");
  });
  return {
    isDraining: () => draining,
    start: async (seconds) => {
      draining = true;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    },
  };
};
