import { randomInt } from "node:crypto";

/** Random numbers from a seed (mulberry32): the same seed gives the same numbers. */
export interface Dice {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `below`. */
  roll(below: number): number;
  /** True with this probability: 0.25 is one time in four. */
  happens(often: number): boolean;
  pick<T>(from: readonly T[]): T;
  digits(count: number): string;
}

export const diceOf = (seed: number): Dice => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const roll = (below: number): number => Math.floor(next() * below);
  return {
    next,
    roll,
    happens: (often) => next() < often,
    pick: (from) => from[roll(from.length)] as (typeof from)[number],
    digits: (count) => String(Math.floor(next() * 10 ** count)).padStart(count, "0"),
  };
};

/** How often numbers that are taken already are drawn again from the same dice. */
const SAME = 3;

/**
 * The dice for numbers that must be free. An earlier run with the same seed took the same numbers, so
 * after a few tries they come from dice that do not depend on the seed.
 */
export const redrawn = (numbers: Dice, tries: number): Dice =>
  tries <= SAME ? numbers : diceOf(randomInt(2 ** 31));
