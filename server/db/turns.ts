import { type Turns, takeTurns } from "../lib/turns.ts";
import { refuseInsideChange } from "./changes.ts";
import { TurnMissed } from "./errors.ts";
import { requests } from "./requests.ts";

/** With more than this in one organization, the last caller would have given up before the answer. */
const SCANS_WAITING = 64;
/** More than an office signs in at once. An attacker must not fill the places of all requests. */
const CHANGES_WAITING = 200;

/** Runs work in its turn, unless its request was answered while it waited. */
const inTurn =
  (turns: Turns) =>
  async <T>(lane: string, run: () => Promise<T>): Promise<T> => {
    refuseInsideChange();
    const request = requests.getStore();
    return await turns.run(lane, async () => {
      if (request?.hasPassed) throw new TurnMissed("nobody waits for it any more");
      return await run();
    });
  };

/**
 * Runs queries that walk over very many rows. Organizations take turns, so that the searches of one do
 * not hold up another's.
 *
 * @param atOnce how many run at a time
 */
export const scanTurns = (atOnce: number) => inTurn(takeTurns(atOnce, SCANS_WAITING));

/**
 * Runs changes that lock a row for which many may wait: those of one key one after the other, so that they
 * occupy one connection, and in turns with those of other keys.
 *
 * @param atOnce how many run at a time
 */
export const changeTurns = (atOnce: number) => inTurn(takeTurns(atOnce, CHANGES_WAITING, 1));
