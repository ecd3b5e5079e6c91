import { Refusal } from "./refusal.ts";

/** Work that takes turns, so that no lane holds up the others for more than its share. */
export interface Turns {
  /**
   * Runs work at once if there is a place, otherwise when its lane has its turn.
   *
   * @throws Refusal `overloaded` when too many of this lane wait already
   */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
  /** How many pieces of work run or wait now. */
  load(): { readonly running: number; readonly waiting: number };
}

/**
 * Lanes take turns: each time a place becomes free, the next lane that waits gets it for one piece of
 * work, and then goes behind the others.
 *
 * @param atOnce how many pieces run at a time, in all lanes together
 * @param mostWaiting how many pieces may wait in one lane
 */
export const takeTurns = (atOnce: number, mostWaiting: number): Turns => {
  /** The waiting work by lane, in the order of the next turns; an empty lane is not kept. */
  const lanes = new Map<string, (() => void)[]>();
  let running = 0;

  const placeFor = (lane: string): Promise<void> => {
    const queue = lanes.get(lane) ?? [];
    if (queue.length >= mostWaiting) throw new Refusal("overloaded");
    lanes.set(lane, queue);
    return new Promise((begin) => queue.push(begin));
  };

  const passOn = (): void => {
    const [next] = lanes;
    if (!next) {
      running -= 1;
      return;
    }
    const [lane, queue] = next;
    const begin = queue.shift();
    lanes.delete(lane);
    if (queue.length > 0) lanes.set(lane, queue);
    begin?.();
  };

  return {
    run: async (lane, work) => {
      if (running < atOnce) running += 1;
      else await placeFor(lane);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    load: () => ({
      running,
      waiting: lanes.values().reduce((sum, { length }) => sum + length, 0),
    }),
  };
};
