import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import { removeOldEntries } from "../history/retention.ts";
import { removeOldMeetings } from "../meetings/retention.ts";
import { type Change, openOrganization, service } from "../organization.ts";

/** Removes what is older than its organization keeps it, behind the requests. */
export interface Retention {
  /** Looks now; called after a change of the settings. Never throws. */
  wake(): void;
  /** Ends after the current piece. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Each removes a piece, and says whether there may be more. Recordings and emails have keepers of their own. */
const removals: readonly ((change: Change) => Promise<boolean>)[] = [
  removeOldEntries,
  removeOldMeetings,
];

/** Starts to look every hour, and at once. Any number of processes may run one. */
export const startRetention = (database: Database, log: Pick<Logger, "warn">): Retention => {
  // The work does not belong to the request that wakes it.
  const apart = AsyncLocalStorage.snapshot();
  let stopping = false;
  let awake = false;
  let removing: Promise<void> | undefined;

  const wake = (): void => {
    awake = true;
    if (stopping || removing !== undefined) return;
    removing = apart(removeAll)
      .catch((err: unknown) => log.warn({ err }, "what is too old is removed later"))
      .finally(() => {
        removing = undefined;
        if (awake) wake();
      });
  };

  const removeAll = async (): Promise<void> => {
    awake = false;
    const organizations = await database.read
      .selectFrom("organizations")
      .select("id")
      .where("settings", "<>", "{}")
      .execute();
    for (const { id } of organizations) {
      const { change } = openOrganization(database, id, service);
      for (const remove of removals) {
        for (let goesOn = true; goesOn; ) {
          if (stopping) return;
          const from = performance.now();
          // Under the organization's row: the days may have been raised just now.
          goesOn = await change(remove);
          await rest(performance.now() - from);
        }
      }
    }
    await database.forget();
  };

  const looking = setInterval(wake, HOUR_MS).unref();
  wake();
  return {
    wake,
    async stop() {
      stopping = true;
      clearInterval(looking);
      await removing;
    },
  };
};
