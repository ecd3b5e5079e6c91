import type { Logger } from "pino";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { ErasureRow } from "../db/recording-tables.ts";
import { type Stores, storeOf } from "./stores.ts";

/** Before an erasure is tried again: it doubles with each try, up to the longest. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;

/** How often a folder that is not on this machine is left to the processes of others. */
const ELSEWHERE_TRIES = 12;

/** The oldest erasure that is due; nobody else takes it for a moment. */
const claim = (database: Pick<Database, "change">): Promise<ErasureRow | undefined> =>
  database.change(async (tx) => {
    const due = await tx
      .selectFrom("erasures")
      .selectAll()
      .where("due_at", "<=", now())
      .orderBy("due_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return undefined;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** due.tries, LONGEST_WAIT_MS);
    return tx
      .updateTable("erasures")
      .set({ tries: due.tries + 1, due_at: now(wait) })
      .where("id", "=", due.id)
      .where("tries", "=", due.tries)
      .returningAll()
      .executeTakeFirst();
  });

/**
 * Erases what is due. What could not be erased stays in the table and is tried again, less and less
 * often; the row goes only after everything of it is gone.
 *
 * @returns how many are left that were due
 */
export const eraseDue = async (
  database: Pick<Database, "change">,
  stores: Stores,
  log: Pick<Logger, "warn">,
  signal?: AbortSignal,
): Promise<number> => {
  let left = 0;
  while (!signal?.aborted) {
    const due = await claim(database);
    if (due === undefined) break;
    try {
      const found = await (await storeOf(stores, due.store)).erase(due.path);
      const isElsewhere = !found && stores.shared && due.store === "folder";
      if (isElsewhere && due.tries < ELSEWHERE_TRIES) continue;
    } catch (error) {
      left += 1;
      if (due.tries === 1) {
        log.warn({ error: String(error), store: due.store }, "a recording is not erased yet");
      }
      continue;
    }
    await database.change((tx) => tx.deleteFrom("erasures").where("id", "=", due.id).execute());
  }
  return left;
};
