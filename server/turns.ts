import { Refusal } from "./refusal.ts";

/** Work that takes turns, so that no lane holds up the others for more than its share. */
export interface Turns {
  /**
   * Runs work at once if there is a place, otherwise when its lane has its turn.
   *
   * @param whose in one lane, these take turns too
   * @throws Refusal `overloaded` when too many of this lane wait already
   */
  run<T>(lane: string, work: () => Promise<T>, whose?: string): Promise<T>;
  /** How many pieces of work run or wait now. */
  load(): { readonly running: number; readonly waiting: number };
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Refusal) => void;
}

/** What waits in a lane, by whose it is. */
type Lane = Map<string, Waiting[]>;

const lengthOf = (lane: Lane): number => lane.values().reduce((sum, { length }) => sum + length, 0);

/** Takes the first entry out of a map: put back, it is behind the others. */
const takeFirst = <Value>(map: Map<string, Value>): [string, Value] | undefined => {
  const [first] = map;
  if (first) map.delete(first[0]);
  return first;
};

/** Takes what is next out of a lane. */
const takeNext = (lane: Lane): Waiting | undefined => {
  const [whose = "", queue = []] = takeFirst(lane) ?? [];
  const next = queue.shift();
  if (queue.length > 0) lane.set(whose, queue);
  return next;
};

/**
 * Makes a place in a full lane for somebody of whom some wait in it: whoever has most loses the last one.
 *
 * @throws Refusal `overloaded` where nobody has clearly more
 */
const makePlace = (lane: Lane, own: number): void => {
  const [longest = []] = [...lane.values()].sort((one, other) => other.length - one.length);
  if (longest.length <= own + 1) throw new Refusal("overloaded");
  longest.pop()?.refuse(new Refusal("overloaded"));
};

/**
 * Lanes take turns: each time a place becomes free, the next lane that waits gets it for one piece of
 * work, and then goes behind the others.
 *
 * @param atOnce how many pieces run at a time, in all lanes together
 * @param mostWaiting how many pieces may wait in one lane
 */
export const takeTurns = (atOnce: number, mostWaiting: number): Turns => {
  /** In the order of the next turns; what is empty is not kept. */
  const lanes = new Map<string, Lane>();
  let running = 0;

  const placeFor = (name: string, whose: string): Promise<void> => {
    const lane: Lane = lanes.get(name) ?? new Map();
    const queue = lane.get(whose) ?? [];
    if (lengthOf(lane) >= mostWaiting) makePlace(lane, queue.length);
    lanes.set(name, lane.set(whose, queue));
    return new Promise((begin, refuse) => queue.push({ begin, refuse }));
  };

  const passOn = (): void => {
    const [name, lane] = takeFirst(lanes) ?? [];
    if (name === undefined || lane === undefined) {
      running -= 1;
      return;
    }
    const next = takeNext(lane);
    if (lane.size > 0) lanes.set(name, lane);
    next?.begin();
  };

  return {
    run: async (lane, work, whose = "") => {
      if (running < atOnce) running += 1;
      else await placeFor(lane, whose);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    load: () => ({
      running,
      waiting: lanes.values().reduce((sum, lane) => sum + lengthOf(lane), 0),
    }),
  };
};
