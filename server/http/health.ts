import type { FastifyInstance } from "fastify";
import { newBudget, within } from "../db/deadline.ts";
import type { Database } from "../db/open.ts";
import type { Draining } from "./drain.ts";

/**
 * `/healthz`: the process is alive. `/readyz`: the database answers, is migrated, and the service
 * is not draining; otherwise 503. Both need no token and say nothing else.
 */
export const serveHealth = (
  app: FastifyInstance,
  database: Database,
  { isDraining }: Draining,
): void => {
  /** One look for all who ask at a time: nothing else limits them. */
  let looking: Promise<boolean> | undefined;
  const isReady = (): Promise<boolean> => {
    looking ??= within(newBudget(database), database.ready)
      .catch(() => false)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const config = { counts: "nothing" } as const;
  app.get("/healthz", { config }, async (_request, reply) => reply.send({ status: "ok" }));
  app.get("/readyz", { config }, async (_request, reply) => {
    const ready = !isDraining() && (await isReady());
    return reply.status(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
};
