import { AsyncLocalStorage } from "node:async_hooks";

/** The request that a query belongs to. */
export interface Request {
  /** True if its deadline has passed: it was answered, and nobody waits for the query. */
  readonly hasPassed: boolean;
}

/** The request that is being worked on. */
export const requests = new AsyncLocalStorage<Request>();
