import { openBucket, type Rate } from "../lib/bucket.ts";
import { leastRecentlyUsed } from "../lib/lru.ts";
import { openBudget } from "./budget.ts";

/** A page whose network comes and goes connects every second or two. */
export const CONNECTIONS: Rate = { perSecond: 0.5, burst: 30 };
/** A camera that is turned on every second for half a minute. */
const TRACKS: Rate = { perSecond: 0.5, burst: 30 };
/** The messages that LiveKit passes on to everybody else, counted by recipients. */
const DELIVERIES: Rate = { perSecond: 400, burst: 2_000 };
/** So a small meeting hears of four changes in a second, and the largest one of one. */
const FEWEST = 100;
const MOST = 400;

/** Limits the load that one person may put on LiveKit, and on everybody who gets the result, over all connections. */
export const openCredit = () => {
  const mayDeliver = openBucket(DELIVERIES);
  return {
    budget: openBudget(),
    mayConnect: openBucket(CONNECTIONS),
    mayAnnounce: openBucket(TRACKS),
    /** Returns whether a message that LiveKit passes on to this many others may go now. */
    mayTell: (others: number): boolean => mayDeliver(Math.min(Math.max(others, FEWEST), MOST)),
  };
};

export type Credit = ReturnType<typeof openCredit>;

/** The most people who have credit at a time; beyond, the least recently used ones are full again. */
const PEOPLE = 10_000;

/** The credit of each person, which connecting again does not fill. */
export const openCredits = (): ((person: string) => Credit) => {
  const credits = leastRecentlyUsed<string, Credit>(PEOPLE);
  return (person) => {
    const credit = credits.get(person) ?? openCredit();
    credits.set(person, credit);
    return credit;
  };
};
