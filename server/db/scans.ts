import type { CompiledQuery, QueryResult } from "kysely";
import { takeTurns } from "../turns.ts";
import { refuseInsideChange } from "./changes.ts";
import type { Database } from "./database.ts";
import { DatabaseUnreachable } from "./errors.ts";
import { kyselyAsking } from "./kysely-asking.ts";
import { requests } from "./requests.ts";
import type { Tables } from "./tables.ts";

/** With more than this in one organization, the last caller would have given up before the answer. */
const WAITING = 64;

/**
 * Queries that walk over very many rows. Organizations take turns, so that the searches of one do not
 * hold up another's. A query whose request was answered while it waited is skipped.
 *
 * @param atOnce how many run at a time
 * @param ask runs one
 */
export const scansIn = (
  dialect: Database["name"],
  atOnce: number,
  ask: (query: CompiledQuery) => Promise<QueryResult<never>>,
): Database["scan"] => {
  const turns = takeTurns(atOnce, WAITING);
  return (organizationId) =>
    kyselyAsking<Tables>(dialect, async (query) => {
      refuseInsideChange();
      const request = requests.getStore();
      return await turns.run(organizationId, async () => {
        if (request?.hasPassed) {
          throw new DatabaseUnreachable("nobody waits for this query any more");
        }
        return await ask(query);
      });
    });
};
