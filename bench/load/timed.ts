import { median } from "../statistics.ts";
import type { Plan } from "./plan.ts";
import { runOwn } from "./run-process.ts";

/** Milliseconds of each request, by its label. */
export interface Timed {
  readonly times: Record<string, number[]>;
}

interface Length {
  readonly seconds: number;
  /** The largest number of requests. */
  readonly count?: number;
}

/** Sends one request after the other on one connection, from a separate process. */
export const timed = async (
  plan: Plan,
  { seconds, count = Number.MAX_SAFE_INTEGER }: Length,
): Promise<Timed["times"]> => {
  const { times } = await runOwn<Timed>("timed-process.ts", { plan, seconds, count });
  return times;
};

/** The median over the requests of all labels, in milliseconds. */
export const timedMedian = async (plan: Plan, length: Length): Promise<number> =>
  median(Object.values(await timed(plan, length)).flat());
