/**
 * Takes values in interleaved rounds: a disturbance of the machine then affects all of them. The first
 * round, in which caches fill and code is compiled, does not count.
 *
 * @returns the values of each, one per round
 */
export const interleave = async <Name extends string, T>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<T>>>,
): Promise<Record<Name, T[]>> => {
  const names = Object.keys(variants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    T[]
  >;
  for (let round = -1; round < rounds; round += 1) {
    // Every other round runs backwards, so that none always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await variants[name]();
      if (round >= 0) values[name].push(value);
    }
  }
  return values;
};
