import { AsyncLocalStorage } from "node:async_hooks";

const changes = new AsyncLocalStorage<{ readonly running: boolean }>();

/** Runs the work of a change, so that a query or a change asked for beside it is noticed. */
export const insideChange = async <T>(work: () => Promise<T>): Promise<T> => {
  // What the work leaves running after its end carries this mark along: hence a mark that is unset.
  const mark = { running: true };
  try {
    return await changes.run(mark, work);
  } finally {
    mark.running = false;
  }
};

/**
 * Refuses what would wait for ever on SQLite (a change inside a change), and what would see another
 * state than the change does (a query beside its transaction).
 */
export const refuseInsideChange = (): void => {
  if (changes.getStore()?.running === true) {
    throw new Error("Inside a change, use the transaction that it was given and nothing else.");
  }
};
