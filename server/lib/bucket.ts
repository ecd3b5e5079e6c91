/** The refill per second, and the capacity. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket. @returns whether the next one passes, by its cost */
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
