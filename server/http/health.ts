import type { FastifyInstance, FastifyRequest } from "fastify";
import packageJson from "../../package.json" with { type: "json" };
import { newBudget, within } from "../db/deadline.ts";
import type { Database } from "../db/open.ts";
import { type Entrance, hasToken } from "./authenticate.ts";
import type { Draining } from "./drain.ts";

/**
 * `/healthz`: the process is alive; an administrator's token also gets its version. `/readyz`: the database
 * answers, is migrated, and the service is not draining; otherwise 503. Both need no token and say nothing else.
 */
export const serveHealth = (
  app: FastifyInstance,
  database: Database,
  {
    entrance,
    draining: { isDraining },
  }: { readonly entrance: Entrance; readonly draining: Draining },
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
  /** Counts for the holder of the token; whatever is wrong with it, the process is alive. */
  const isAdministrator = async (request: FastifyRequest): Promise<boolean> => {
    if (!hasToken(request)) return false;
    const found = await within(newBudget(database), () => entrance(request)).catch(() => undefined);
    return found?.caller.admin === true;
  };
  app.get("/healthz", { config }, async (request, reply) =>
    reply.send({
      status: "ok",
      ...((await isAdministrator(request)) && { version: packageJson.version }),
    }),
  );
  app.get("/readyz", { config }, async (_request, reply) => {
    const ready = !isDraining() && (await isReady());
    return reply.status(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
};
