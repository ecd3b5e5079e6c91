/*
 * The number of people inside as steps: from a moment on, this many more or fewer. An organization's
 * meetings overlap, so their steps are merged before a peak is found.
 */

/** A stay, from its first moment to the one after its last. */
export interface StayInside {
  readonly joined_at: string;
  readonly left_at: string;
}

/**
 * From this moment on, in milliseconds since 1970, this many more people are inside, or fewer if
 * negative.
 */
export type HeadcountStep = readonly [at: number, change: number];

/** The steps of stays, in order; a person who arrives as another leaves takes no further place. */
export const stepsOf = (stays: readonly StayInside[]): readonly HeadcountStep[] => {
  const changes = new Map<number, number>();
  const add = (at: number, change: number): void => {
    changes.set(at, (changes.get(at) ?? 0) + change);
  };
  for (const { joined_at, left_at } of stays) {
    const [from, to] = [Date.parse(joined_at), Date.parse(left_at)];
    if (to <= from) continue;
    add(from, 1);
    add(to, -1);
  }
  return [...changes].filter(([, change]) => change !== 0).sort(([one], [other]) => one - other);
};

/** Steps as they are stored: JSON, with moments relative to the start of the meeting. */
export const writeSteps = (steps: readonly HeadcountStep[], startedAt: string): string => {
  const start = Date.parse(startedAt);
  return JSON.stringify(steps.flatMap(([at, change]) => [at - start, change]));
};

/** The stored steps of a meeting. */
export interface StoredSteps {
  readonly started_at: string;
  readonly steps: string;
}

/** The merged steps of meetings, in order. */
export const readSteps = (meetings: readonly StoredSteps[]): readonly HeadcountStep[] => {
  const all: HeadcountStep[] = [];
  for (const { started_at, steps } of meetings) {
    const start = Date.parse(started_at);
    const numbers: readonly number[] = JSON.parse(steps);
    for (let n = 0; n + 1 < numbers.length; n += 2) {
      all.push([start + (numbers[n] ?? 0), numbers[n + 1] ?? 0]);
    }
  }
  return all.sort(([at, change], [otherAt, other]) => at - otherAt || change - other);
};

/**
 * The peak of people inside between each moment and the next one.
 *
 * @param steps as `readSteps` returns them
 * @param moments in order; the last one is only an end
 */
export const peaksBetween = (
  steps: readonly HeadcountStep[],
  moments: readonly number[],
): readonly number[] => {
  let inside = 0;
  let next = 0;
  /** Takes the steps before a moment. @returns the peak meanwhile */
  const goTo = (moment: number): number => {
    let most = inside;
    for (let step = steps[next]; step !== undefined && step[0] < moment; step = steps[next]) {
      inside += step[1];
      most = Math.max(most, inside);
      next += 1;
    }
    return most;
  };
  return moments.slice(1).map((end, n) => {
    // Includes its first moment: a person who has left by then was not inside.
    goTo((moments[n] ?? 0) + 1);
    return goTo(end);
  });
};
