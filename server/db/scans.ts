import { takeTurns } from "../turns.ts";
import { refuseInsideChange } from "./changes.ts";
import { DatabaseUnreachable } from "./errors.ts";
import { requests } from "./requests.ts";

/** With more than this in one organization, the last caller would have given up before the answer. */
const WAITING = 64;

/**
 * Runs queries that walk over very many rows. Organizations take turns, so that the searches of one do
 * not hold up another's. A query whose request was answered while it waited is skipped.
 *
 * @param atOnce how many run at a time
 */
export const scanTurns = (atOnce: number) => {
  const turns = takeTurns(atOnce, WAITING);
  return async <T>(organizationId: string, run: () => Promise<T>): Promise<T> => {
    refuseInsideChange();
    const request = requests.getStore();
    return await turns.run(organizationId, async () => {
      if (request?.hasPassed) throw new DatabaseUnreachable("nobody waits for this query any more");
      return await run();
    });
  };
};
