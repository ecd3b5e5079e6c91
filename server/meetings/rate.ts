/** Commands a second on one meeting socket, and how many may come at once. */
export const RATE = { perSecond: 50, burst: 300 };

/** A bucket that lets so many commands pass. @returns whether the next one may */
export const openBucket = () => {
  let left = RATE.burst;
  let since = performance.now();
  return (): boolean => {
    const now = performance.now();
    left = Math.min(RATE.burst, left + ((now - since) / 1000) * RATE.perSecond);
    since = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
};
