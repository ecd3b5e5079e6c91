import type { FastifyInstance } from "fastify";
import { newBudget, within } from "../db/deadline.ts";
import { refuse } from "../lib/refusal.ts";
import { findLogo } from "../organizations/logo.ts";
import { logoPath } from "../records/brand.ts";
import type { Service } from "./route.ts";
import type { Doors } from "./serve.ts";

const DAY_SECONDS = 24 * 3600;

interface Asked {
  readonly Params: { readonly digest: string };
}

/**
 * Serves organizations' logos to anybody, for guests' pages. Not an operation: the answer is not
 * JSON.
 */
export const serveLogos = (
  app: FastifyInstance,
  { database }: Pick<Service, "database">,
  { guard }: Pick<Doors, "guard">,
): void => {
  app.get<Asked>(logoPath(":digest"), async ({ params }, reply) => {
    const found = await guard.work(() =>
      within(newBudget(database), () => findLogo(database, params.digest)),
    );
    if (found === undefined) return refuse("not_found");
    return reply
      .type(found.type)
      .header("cache-control", `public, max-age=${DAY_SECONDS}, immutable`)
      .send(Buffer.from(found.picture, "base64"));
  });
};
