import type { Database } from "./db/open.ts";
import { rest } from "./db/pieces.ts";
import { type Change, openOrganization, service } from "./organization.ts";

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
