import type { FastifyInstance } from "fastify";
import type { Database } from "../db/open.ts";
import { newBudget, within } from "../deadline.ts";
import type { Draining } from "./drain.ts";

/**
 * `/healthz`: the process is alive. `/readyz`: the database answers, is migrated, and the service is
 * not draining; 503 otherwise. Both need no token and say nothing else.
 */
export const serveHealth = (
  app: FastifyInstance,
  database: Database,
  { isDraining }: Draining,
): void => {
  app.get("/healthz", async (_request, reply) => reply.send({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const ready = !isDraining() && (await within(newBudget(), database.ready).catch(() => false));
    return reply.status(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
};
