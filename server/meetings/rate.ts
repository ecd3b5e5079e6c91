import { leastRecentlyUsed } from "../lru.ts";

/** How much may pass in a second, and how much at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Commands of one seat. */
export const COMMANDS: Rate = { perSecond: 50, burst: 300 };
/** What one seat may change for everybody else: messages, hands, devices, requests. */
export const CHANGES: Rate = { perSecond: 3, burst: 30 };
/** Bytes of signals on one meeting socket: some ten descriptions of 20 kB for each other browser there can be. */
export const SIGNALS: Rate = { perSecond: 100_000, burst: 1_000_000 };

/** A bucket that lets so much pass. @returns whether the next one may, by what it takes */
export const openBucket = ({ perSecond, burst }: Rate) => {
  let left = burst;
  let since = performance.now();
  return (takes = 1): boolean => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - since) / 1000) * perSecond);
    since = now;
    if (left < takes) return false;
    left -= takes;
    return true;
  };
};

/** The most seats that have a bucket at a time; beyond, the least recently used ones are full again. */
const SEATS = 10_000;

/** A bucket for each seat, which connecting again does not fill. @returns whether its next one may pass */
export const openBuckets = (rate: Rate): ((seatId: string) => boolean) => {
  const buckets = leastRecentlyUsed<string, ReturnType<typeof openBucket>>(SEATS);
  return (seatId) => {
    const mayPass = buckets.get(seatId) ?? openBucket(rate);
    buckets.set(seatId, mayPass);
    return mayPass();
  };
};
