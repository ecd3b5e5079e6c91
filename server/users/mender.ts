import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import { openOrganization, operator } from "../organization.ts";
import { mendPiece } from "./former.ts";

/** Removes former people from the rooms that name them, behind the requests. */
export interface Mender {
  /** Looks for work now; called after every commit that may have left some. Never throws. */
  wake(): void;
  /** Ends after the current piece. The next start mends the rest. */
  stop(): Promise<void>;
}

/** Another process may have died in the middle of its work. */
const LOOK_MS = 60_000;

/** Starts to mend, also what an earlier run left. Any number of processes may run one. */
export const startMender = (database: Database, log: Pick<Logger, "warn">): Mender => {
  // The work does not belong to the request that wakes the mender.
  const apart = AsyncLocalStorage.snapshot();
  let stopping = false;
  let awake = false;
  let mending: Promise<void> | undefined;

  const wake = (): void => {
    awake = true;
    if (stopping || mending !== undefined) return;
    mending = apart(mendAll)
      .catch((err: unknown) => log.warn({ err }, "former owners are mended later"))
      .finally(() => {
        mending = undefined;
        if (awake) wake();
      });
  };

  const mendAll = async (): Promise<void> => {
    awake = false;
    const failed = new Set<string>();
    let waiting = await organizations();
    while (waiting.length > 0) {
      for (const id of waiting) {
        if (stopping) return;
        const from = performance.now();
        try {
          await openOrganization(database, id, operator).change(mendPiece);
        } catch (err) {
          // It does not keep the others waiting; the next look tries it again.
          log.warn({ err }, "former owners of an organization are mended later");
          failed.add(id);
        }
        await rest(performance.now() - from);
      }
      waiting = (await organizations()).filter((id) => !failed.has(id));
    }
  };

  const organizations = async (): Promise<string[]> => {
    const rows = await database.read
      .selectFrom("users")
      .select("organization_id")
      .distinct()
      .where("gone_at", "is not", null)
      .execute();
    return rows.map(({ organization_id }) => organization_id);
  };

  const looking = setInterval(wake, LOOK_MS).unref();
  wake();
  return {
    wake,
    async stop() {
      stopping = true;
      clearInterval(looking);
      await mending;
    },
  };
};
