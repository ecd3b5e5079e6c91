/** The probability of a value up to this one in a normal distribution (Abramowitz and Stegun, 26.2.17). */
const normal = (z: number): number => {
  const at = 1 / (1 + 0.2316419 * Math.abs(z));
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = factors.reduceRight((rest, factor) => (rest + factor) * at, 0);
  const above = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return z > 0 ? 1 - above : above;
};

/**
 * The probability that two lists of values from one distribution differ as much as these, or more
 * (Mann-Whitney U, two-sided, normal approximation: for twenty values or more).
 */
export const mannWhitney = (one: readonly number[], other: readonly number[]): number => {
  const all = [
    ...one.map((value) => ({ value, isOne: true })),
    ...other.map((value) => ({ value, isOne: false })),
  ].sort((a, b) => a.value - b.value);
  let ranks = 0;
  let ties = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    // Equal values share the mean of their ranks, which count from 1.
    const rank = (from + 1 + to) / 2;
    ranks += rank * all.slice(from, to).filter(({ isOne }) => isOne).length;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const [n, m, total] = [one.length, other.length, all.length];
  const u = ranks - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  return 2 * normal(-Math.abs((u - (n * m) / 2) / deviation));
};
