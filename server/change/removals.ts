import { type Expression, sql } from "kysely";
import { skippingHeld } from "../db/dialect.ts";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import type { Tables } from "../db/tables.ts";
import { type Looks, startLooks } from "../lib/looks.ts";
import { type Change, openOrganization, service } from "./organization.ts";

/** The rows of a table that are of no use after some time. */
export interface Expiry {
  readonly table: keyof Tables;
  /** The column that is the table's primary key. */
  readonly key: string;
  /** The column, with an index, of the time by which rows expire. */
  readonly by: string;
  /** Rows of this time (RFC 3339) or before have expired. */
  readonly until: Expression<string>;
}

/** Few enough rows for a short change. */
export const REMOVAL_PIECE = 200;

/**
 * Removes one piece after the other, with time for others in between.
 *
 * @param piece returns whether there may be more
 */
export const removePieces = async (
  stopping: () => boolean,
  piece: () => Promise<boolean>,
): Promise<void> => {
  for (let goesOn = true; goesOn && !stopping(); ) {
    const from = performance.now();
    goesOn = await piece();
    await rest(performance.now() - from);
  }
};

const removeAll = (
  database: Database,
  { table, key, by, until }: Expiry,
  stopping: () => boolean,
): Promise<void> =>
  removePieces(stopping, async () => {
    const { numAffectedRows = 0n } = await database.change((tx) =>
      // The oldest are chosen in a `with`: in a subquery of the deletion, PostgreSQL might choose
      // again, and take more.
      sql`
        with oldest as (
          select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(by)} <= ${until}
          order by ${sql.ref(by)} limit ${sql.lit(REMOVAL_PIECE)} ${skippingHeld(tx)}
        )
        delete from ${sql.table(table)} where ${sql.ref(key)} in (select ${sql.ref(key)} from oldest)
      `.execute(tx),
    );
    return numAffectedRows > 0n;
  });

/** Often: a look costs one lookup in an index, and rows that were in use are tried again soon. */
const LOOK_MS = 60_000;

/**
 * Starts to remove, in the background, the expired rows of all organizations: a piece in each change,
 * which holds no organization, with time for others in between. Any number of processes may run one.
 *
 * @param onError takes why a removal failed; the others go on, and the next look tries it again
 */
export const startRemoving = (
  database: Database,
  expiries: readonly Expiry[],
  onError: (error: unknown) => void,
): Looks =>
  startLooks({
    everyMs: LOOK_MS,
    onError,
    look: async (stopping) => {
      for (const expiry of expiries) {
        await removeAll(database, expiry, stopping).catch(onError);
      }
    },
  });

/**
 * Removes what is older than its organization keeps it, in each organization that has settings, one
 * piece after the other, with time for others in between.
 *
 * @param piece removes a piece, under the organization's row: the days may have been raised just now.
 *   Returns whether there may be more
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
    await removePieces(stopping, () => change(piece));
  }
};
