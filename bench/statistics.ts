const sorted = (values: readonly number[]): number[] => values.toSorted((one, two) => one - two);

/** The quantile of the values; 0.5 is the median. */
export const quantile = (values: readonly number[], part: number): number => {
  const list = sorted(values);
  const at = (list.length - 1) * part;
  const low = list[Math.floor(at)] ?? Number.NaN;
  const high = list[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Each value of one list divided by the value of the same round in the other. */
export const ratios = (above: readonly number[], below: readonly number[]): number[] =>
  above.map((value, round) => value / (below[round] ?? Number.NaN));
