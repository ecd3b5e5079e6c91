import { randomInt } from "node:crypto";
import type { TestContext } from "node:test";

/** True if the large counts are requested. */
export const soaking = process.env.PARLEY_SOAK === "1";

/** True if everything is requested: each file on both databases, and the twins. */
export const complete = process.env.PARLEY_COMPLETE === "1";

/** A small count for complete runs, a large one for the long run, and the least one for every other run. */
export const count = (small: number, large: number, least = small): number => {
  if (soaking) return large;
  return complete ? small : least;
};

/** Why a test is skipped in a run that is not complete; false in a complete one. */
export const onlyComplete: string | false = !complete && "in complete runs";

/** Random numbers determined by a seed (mulberry32). */
export interface Dice {
  readonly seed: number;
  /** From 0, and less than `below`. */
  roll(below: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
}

/** Dice with the seed in PARLEY_SEED, or with a new one; the test reports it. */
export const rollDice = (t: TestContext): Dice => {
  const seed = process.env.PARLEY_SEED ? Number(process.env.PARLEY_SEED) : randomInt(2 ** 31);
  t.diagnostic(`PARLEY_SEED=${seed}`);
  return diceOf(seed);
};

export const diceOf = (seed: number): Dice => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const roll = (below: number): number => Math.floor(next() * below);
  return {
    seed,
    roll,
    pick: (from) => from[roll(from.length)] as (typeof from)[number],
    shuffled: (from) =>
      from
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
};
