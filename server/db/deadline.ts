import type { KyselyPlugin } from "kysely";
import type { Work } from "./changes.ts";
import { DatabaseUnreachable, TurnMissed } from "./errors.ts";
import type { Database } from "./open.ts";
import { type Request, requests } from "./requests.ts";

/*
 * Every request is answered within five seconds, whatever the database does. Each wait for the database
 * has a timeout, but a request may wait several times, so it has a deadline as well. After the deadline
 * the request is answered as if the database were away, or too busy if it answers others, and its work stops at the next answer of the
 * database. A change that is already being committed has an unknown outcome, as after any 503.
 */

/** The time for the work on a request; the rest of the five seconds is for sending. */
const WORK_MS = 4_500;
/** How often deadlines are checked: one timer for all of them costs less than a timer for each. */
const STEP_MS = 100;

const PASSED = "the request's deadline has passed";

/** The time that is left for a request. Waits for its body and for hashing do not count. */
export interface Budget {
  leftMs: number;
  /** Returns whether the database answers others: a request that is late has then waited for them. */
  readonly isAnswering?: () => boolean;
}

/** The budget of a new request, which waits for this database. */
export const newBudget = ({ isAnswering }: Pick<Database, "isAnswering">): Budget => ({
  leftMs: WORK_MS,
  isAnswering,
});

/** The error of a request whose time is over. */
const lateness = ({ isAnswering }: Budget): Error =>
  isAnswering?.() === true ? new TurnMissed(PASSED) : new DatabaseUnreachable(PASSED);

const running = new Set<Deadline>();
let clock: NodeJS.Timeout | undefined;

const checkDeadlines = (): void => {
  const time = performance.now();
  for (const deadline of running) deadline.check(time);
  if (running.size > 0) return;
  clearInterval(clock);
  clock = undefined;
};

class Deadline implements Request {
  readonly #budget: Budget;
  readonly #onPassed: () => void;
  #pauses = 1;
  #until = 0;
  hasPassed = false;

  constructor(budget: Budget, onPassed: () => void) {
    this.#budget = budget;
    this.#onPassed = onPassed;
  }

  run(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#until = performance.now() + this.#budget.leftMs;
    running.add(this);
    clock ??= setInterval(checkDeadlines, STEP_MS);
  }

  /** Stops the clock until it runs again. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    running.delete(this);
    this.#budget.leftMs = Math.max(0, this.#until - performance.now());
  }

  check(time: number): void {
    if (time < this.#until) return;
    running.delete(this);
    this.hasPassed = true;
    this.#onPassed();
  }
}

const currentDeadline = (): Deadline | undefined => requests.getStore() as Deadline | undefined;

const refuseLate = (deadline: Request | undefined): void => {
  if (deadline?.hasPassed) throw new TurnMissed(PASSED);
};

/**
 * Runs the work on a request until its deadline.
 *
 * @throws DatabaseUnreachable or TurnMissed after the deadline; the work then goes on by itself
 */
export const within = async <T>(budget: Budget, work: () => Promise<T>): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const deadline = new Deadline(budget, () => reject(lateness(budget)));
  deadline.run();
  try {
    requests.run(deadline, work).then(resolve, reject);
    return await promise;
  } finally {
    deadline.pause();
  }
};

/** Work that does not wait for the database, such as hashing: it does not count. */
export const uncounted = async <T>(work: () => Promise<T>): Promise<T> => {
  const deadline = currentDeadline();
  deadline?.pause();
  try {
    return await work();
  } finally {
    deadline?.run();
  }
};

const stopping = (current: () => Deadline | undefined): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    refuseLate(current());
    return result;
  },
});
const stopsLate = stopping(currentDeadline);

/** The work of a change. Changes wait for each other and share a transaction: each has its request's deadline. */
const stoppingWork = <T>(work: Work<T>): Work<T> => {
  const deadline = currentDeadline();
  const plugin = stopping(() => deadline);
  return async (tx, send) => {
    refuseLate(deadline);
    const result = await work(tx.withPlugin(plugin), send);
    refuseLate(deadline);
    return result;
  };
};

/**
 * The database for the work on requests: after a request's deadline no query is sent for it, and a
 * change that is not being committed yet is rolled back.
 */
export const underDeadlines = (database: Database): Database => ({
  ...database,
  read: database.read.withPlugin(stopsLate),
  scan: (organizationId) => database.scan(organizationId).withPlugin(stopsLate),
  change: (work, organizationId) => database.change(stoppingWork(work), organizationId),
  changeInTurn: (key, work) => database.changeInTurn(key, stoppingWork(work)),
});
