import type { DeleteResult } from "kysely";
import type { Database } from "./db/open.ts";
import { rest } from "./db/pieces.ts";
import { type Looks, startLooks } from "./looks.ts";
import { type Change, openOrganization, type Queries, service } from "./organization.ts";

/** Removes the oldest rows that no longer count, at most so many. */
export type Removal = (tx: Queries, most: number) => Promise<DeleteResult>;

/** Few enough rows for a short change. */
const PIECE = 200;

const removeAll = async (
  database: Database,
  remove: Removal,
  stopping: () => boolean,
): Promise<void> => {
  for (let goesOn = true; goesOn && !stopping(); ) {
    const from = performance.now();
    const { numDeletedRows } = await database.change((tx) => remove(tx, PIECE));
    goesOn = numDeletedRows > 0n;
    await rest(performance.now() - from);
  }
};

/** Often: each look costs a lookup in an index, and what was in the way is tried again soon. */
const LOOK_MS = 60_000;

/**
 * Starts to remove, in the background, the expired rows of all organizations: a piece in each change,
 * which holds no organization, with time for others in between. Any number of processes may run one.
 *
 * @param onError takes why a removal failed; the others go on, and the next look tries it again
 */
export const startRemoving = (
  database: Database,
  removals: readonly Removal[],
  onError: (error: unknown) => void,
): Looks =>
  startLooks({
    everyMs: LOOK_MS,
    onError,
    look: async (stopping) => {
      for (const remove of removals) {
        await removeAll(database, remove, stopping).catch(onError);
      }
    },
  });

/**
 * Removes what is older than an organization keeps it, in each that has settings, one piece after the
 * other, with time for others in between.
 *
 * @param piece removes a piece, under the organization's row: the days may have been raised just now.
 *   Says whether there may be more
 */
export const removeInEach = async (
  database: Database,
  stopping: () => boolean,
  piece: (change: Change) => Promise<boolean>,
): Promise<void> => {
  const organizations = await database.read
    .selectFrom("organizations")
    .select("id")
    .where("settings", "<>", "{}")
    .execute();
  for (const { id } of organizations) {
    const { change } = openOrganization(database, id, service);
    for (let goesOn = true; goesOn; ) {
      if (stopping()) return;
      const from = performance.now();
      goesOn = await change(piece);
      await rest(performance.now() - from);
    }
  }
};
