import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, KyselyPlugin } from "kysely";
import { DatabaseUnreachable } from "./db/errors.ts";
import type { Database } from "./db/open.ts";
import type { Tables } from "./db/tables.ts";

/*
 * Every request is answered within five seconds, whatever the database does: each wait of the
 * database has a limit of its own, and a request may have several of them. When its time is over,
 * it is answered as when the database is away, and what was begun for it stops at the next answer
 * of the database. A change that is already being committed has an unknown outcome, as after any 503.
 */

/** What the work on a request may take, in milliseconds; the rest of the five seconds is for sending. */
const WORK_MS = 4_500;
/** Timers of the same length are cheap: what is left is cut to whole steps. */
const STEP_MS = 100;

/** The time that is left for a request. The wait for its body does not count. */
export interface Budget {
  leftMs: number;
}

/** The budget of a new request. */
export const newBudget = (): Budget => ({ leftMs: WORK_MS });

interface Deadline {
  hasPassed: boolean;
}
const deadlines = new AsyncLocalStorage<Deadline>();

const refuseLate = (deadline: Deadline | undefined): void => {
  if (deadline?.hasPassed) throw new DatabaseUnreachable("the request's deadline has passed");
};

/**
 * Works on a request for as long as there is time.
 *
 * @throws DatabaseUnreachable when the time is over; the work is then left to itself
 */
export const within = async <T>(budget: Budget, work: () => Promise<T>): Promise<T> => {
  const begun = performance.now();
  const deadline: Deadline = { hasPassed: false };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    deadline.hasPassed = true;
    reject(new DatabaseUnreachable("the request's deadline has passed"));
  };
  const timer = setTimeout(stop, Math.ceil(budget.leftMs / STEP_MS) * STEP_MS);
  try {
    return await Promise.race([deadlines.run(deadline, work), late]);
  } finally {
    clearTimeout(timer);
    budget.leftMs = Math.max(0, budget.leftMs - (performance.now() - begun));
  }
};

const stopping = (deadlineOf: () => Deadline | undefined): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    refuseLate(deadlineOf());
    return result;
  },
});
const stopsLate = stopping(() => deadlines.getStore());

/**
 * The database for the work on requests: once a request's deadline has passed, nothing more is
 * asked for it, and a change that is not being committed yet is rolled back.
 */
export const underDeadlines = (database: Database): Database => ({
  ...database,
  read: database.read.withPlugin(stopsLate),
  scan: database.scan.withPlugin(stopsLate),
  change: (work, organizationId) => {
    // Changes may wait for one another and run together: each keeps the deadline of its own request.
    const deadline = deadlines.getStore();
    const plugin = stopping(() => deadline);
    return database.change(async (tx: Kysely<Tables>) => {
      refuseLate(deadline);
      const result = await work(tx.withPlugin(plugin));
      refuseLate(deadline);
      return result;
    }, organizationId);
  },
});
