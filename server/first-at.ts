/**
 * Where in a sorted list the first entry stands that is at or past what is looked for: its length
 * where none is.
 */
export const firstAt = <T>(sorted: readonly T[], isAtOrPast: (one: T) => boolean): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAtOrPast(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
};
