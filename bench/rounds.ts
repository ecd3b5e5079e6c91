/**
 * Measures in interleaved rounds, so that a disturbance of the machine affects all values alike. The first
 * round does not count, because caches fill and code is compiled in it.
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
    // Every other round runs in reverse order, so that none always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await variants[name]();
      if (round >= 0) values[name].push(value);
    }
  }
  return values;
};
