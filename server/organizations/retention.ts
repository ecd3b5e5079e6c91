import type { Logger } from "pino";
import type { Change } from "../change/organization.ts";
import { removeInEach } from "../change/removals.ts";
import type { Database } from "../db/open.ts";
import { removeOldEntries } from "../history/retention.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { type Looks, startLooks } from "../lib/looks.ts";
import { removeOldMeetings } from "../meetings/record/retention.ts";
import { forgetOldDates } from "../rooms/follow-schedule.ts";

/**
 * Each removes a piece, and returns whether there may be more. Recordings and emails are removed
 * elsewhere.
 */
const removals: readonly ((change: Change) => Promise<boolean>)[] = [
  removeOldEntries,
  removeOldMeetings,
  forgetOldDates,
];

/**
 * Starts removing expired data in the background. It stops after the current piece. Any number of
 * processes may run one.
 */
export const startRetention = (database: Database, log: Pick<Logger, "warn">): Looks => {
  const removeAll = async (stopping: () => boolean): Promise<void> => {
    for (const remove of removals) await removeInEach(database, stopping, remove);
    await database.forget();
  };

  return startLooks({
    everyMs: HOUR_MS,
    look: removeAll,
    onError: (err) => log.warn({ err }, "what is too old is removed later"),
  });
};
