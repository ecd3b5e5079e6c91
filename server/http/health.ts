import type { FastifyInstance } from "fastify";
import type { Database } from "../db/open.ts";

/**
 * `/healthz`: the process lives. `/readyz`: the database answers and its migrations are in; 503
 * while not. Both without a token, and both tell nothing else.
 */
export const serveHealth = (app: FastifyInstance, database: Database): void => {
  app.get("/healthz", async (_request, reply) => reply.send({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const ready = await database.ready().catch(() => false);
    return reply.status(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
};
