/** A stay of somebody. */
interface Stay {
  /** As in `seats`. */
  readonly person: string;
  readonly joined_at: string;
  readonly left_at: string;
}

/**
 * Stays in the order in which they began. Those of one person that overlap, on two devices, are one.
 *
 * @param until what the one takes over from a stay of the same person that ends later
 */
export const wholeStays = <S extends Stay>(
  stays: readonly S[],
  until: (later: S) => Partial<S>,
): readonly S[] => {
  const whole: S[] = [];
  const lastOf = new Map<string, number>();
  for (const stay of stays.toSorted((one, other) => (one.joined_at < other.joined_at ? -1 : 1))) {
    const at = lastOf.get(stay.person) ?? -1;
    const before = whole[at];
    if (before === undefined || before.left_at <= stay.joined_at) {
      lastOf.set(stay.person, whole.push(stay) - 1);
    } else if (before.left_at < stay.left_at) whole[at] = { ...before, ...until(stay) };
  }
  return whole;
};
