/** How much may pass in a second, and how much at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

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
