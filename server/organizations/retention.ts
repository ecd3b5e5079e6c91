import type { Logger } from "pino";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import { removeOldEntries } from "../history/retention.ts";
import { type Looks, startLooks } from "../looks.ts";
import { removeOldMeetings } from "../meetings/retention.ts";
import { type Change, openOrganization, service } from "../organization.ts";

const HOUR_MS = 3_600_000;

/** Each removes a piece, and says whether there may be more. Recordings and emails have keepers of their own. */
const removals: readonly ((change: Change) => Promise<boolean>)[] = [
  removeOldEntries,
  removeOldMeetings,
];

/**
 * Starts to remove, behind the requests, what is older than its organization keeps it. It stops after
 * the current piece. Any number of processes may run one.
 */
export const startRetention = (database: Database, log: Pick<Logger, "warn">): Looks => {
  const removeAll = async (stopping: () => boolean): Promise<void> => {
    const organizations = await database.read
      .selectFrom("organizations")
      .select("id")
      .where("settings", "<>", "{}")
      .execute();
    for (const { id } of organizations) {
      const { change } = openOrganization(database, id, service);
      for (const remove of removals) {
        for (let goesOn = true; goesOn; ) {
          if (stopping()) return;
          const from = performance.now();
          // Under the organization's row: the days may have been raised just now.
          goesOn = await change(remove);
          await rest(performance.now() - from);
        }
      }
    }
    await database.forget();
  };

  return startLooks({
    everyMs: HOUR_MS,
    look: removeAll,
    onError: (err) => log.warn({ err }, "what is too old is removed later"),
  });
};
