import { Refusal } from "./refusal.ts";

/** Work that takes turns, so that no lane takes more than its share. */
export interface Turns {
  /**
   * Runs work at once if there is a place, otherwise when its lane has its turn.
   *
   * @param whose the owner of the work; owners in a lane take turns too
   * @throws Refusal `overloaded` if too many of this lane wait already
   */
  run<T>(lane: string, work: () => Promise<T>, whose?: string): Promise<T>;
  /** How many pieces of work run or wait. */
  load(): { readonly running: number; readonly waiting: number };
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Refusal) => void;
}

/** The work that waits in a lane, by its owner. */
type Lane = Map<string, Waiting[]>;

const lengthOf = (lane: Lane): number => lane.values().reduce((sum, { length }) => sum + length, 0);

/** Takes the next piece of work of a lane. Its owner moves behind the others. */
const takeNext = (lane: Lane): Waiting | undefined => {
  const [[whose, queue] = ["", []]] = lane;
  const next = queue.shift();
  lane.delete(whose);
  if (queue.length > 0) lane.set(whose, queue);
  return next;
};

/**
 * Makes room in a full lane for an owner with `own` pieces: the owner with the most loses the last
 * one.
 *
 * @throws Refusal `overloaded` if nobody has at least two more
 */
const makePlace = (lane: Lane, own: number): void => {
  const [longest = []] = [...lane.values()].sort((one, other) => other.length - one.length);
  if (longest.length <= own + 1) throw new Refusal("overloaded");
  longest.pop()?.refuse(new Refusal("overloaded"));
};

/**
 * Lanes take turns: a free place goes to the next waiting lane, which then moves behind the others.
 *
 * @param atOnce pieces that run at a time, in all lanes
 * @param mostWaiting pieces that may wait in a lane
 * @param atOnceOfLane pieces of a lane that run at a time
 */
export const takeTurns = (atOnce: number, mostWaiting: number, atOnceOfLane = atOnce): Turns => {
  /** In the order of their turns. Empty lanes are dropped. */
  const lanes = new Map<string, Lane>();
  /** Running pieces by lane. */
  const busy = new Map<string, number>();
  let running = 0;

  const mayRun = (name: string): boolean => (busy.get(name) ?? 0) < atOnceOfLane;
  const addBusy = (name: string, more: 1 | -1): void => {
    const now = (busy.get(name) ?? 0) + more;
    if (now > 0) busy.set(name, now);
    else busy.delete(name);
    running += more;
  };

  const placeFor = (name: string, whose: string): Promise<void> => {
    const lane: Lane = lanes.get(name) ?? new Map();
    const queue = lane.get(whose) ?? [];
    if (lengthOf(lane) >= mostWaiting) makePlace(lane, queue.length);
    lanes.set(name, lane.set(whose, queue));
    return new Promise((begin, refuse) => queue.push({ begin, refuse }));
  };

  const passOn = (): void => {
    const [name, lane] = lanes.entries().find(([name]) => mayRun(name)) ?? [];
    if (name === undefined || lane === undefined) return;
    const next = takeNext(lane);
    lanes.delete(name);
    if (lane.size > 0) lanes.set(name, lane);
    addBusy(name, 1);
    next?.begin();
  };

  return {
    run: async (lane, work, whose = "") => {
      if (running < atOnce && mayRun(lane)) addBusy(lane, 1);
      else await placeFor(lane, whose);
      try {
        return await work();
      } finally {
        addBusy(lane, -1);
        passOn();
      }
    },
    load: () => ({
      running,
      waiting: lanes.values().reduce((sum, lane) => sum + lengthOf(lane), 0),
    }),
  };
};
