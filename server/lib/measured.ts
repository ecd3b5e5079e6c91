/*
 * Reports events in this process that are counted for GET /metrics. Where nobody counts, a report costs a look
 * at an empty set.
 */

/** The values of each kind of event. */
export interface Measures {
  /** A change: how long it waited for its turn, did its work, and was made durable, in milliseconds. */
  readonly change: { readonly waitMs: number; readonly workMs: number; readonly commitMs: number };
  /** How long a change waited for its organization's row, in milliseconds. */
  readonly lock: number;
  /** A request that failed, with its code. */
  readonly failure: { readonly operation: string; readonly code: string };
  /** A join: `entered`, `waiting`, or the code of its refusal. */
  readonly join: string;
  /** A connection to the media engine: `connected`, or why not. */
  readonly media: string;
  /** The quality of a connection, as a page has reported it. */
  readonly quality: string;
  /** How somebody rates the connection of a meeting, from 1 to 5. */
  readonly rating: number;
  /** Why somebody's seat has ended. */
  readonly end: string;
  /** How a try at an email has ended. */
  readonly letter: string;
  /** How a try at a webhook's delivery has ended. */
  readonly delivery: string;
  /** How a recording has ended: `ready`, or its error. */
  readonly recording: string;
}

/** Takes what is said; called in the place where it happens, so it must be quick and never throw. */
export type Counter = <K extends keyof Measures>(kind: K, value: Measures[K]) => void;

const counters = new Set<Counter>();

/** Counts from now on. @returns ends it */
export const countEvents = (counter: Counter): (() => void) => {
  counters.add(counter);
  return () => void counters.delete(counter);
};

/** Says that something has happened. */
export const meter: Counter = (kind, value) => {
  for (const counter of counters) counter(kind, value);
};
