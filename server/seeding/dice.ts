import { randomInt } from "node:crypto";

/** Random numbers that follow from a seed (mulberry32): the same seed throws the same. */
export interface Dice {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `below`. */
  roll(below: number): number;
  /** True so often: 0.25 is one time in four. */
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

/** So often numbers that are taken are drawn again from the same dice. */
const SAME = 3;

/**
 * The dice for numbers that must be free. A run before with the same seed took what these throw, one
 * after the other: after a few tries others are thrown, which do not follow from the seed.
 */
export const redrawn = (numbers: Dice, tries: number): Dice =>
  tries <= SAME ? numbers : diceOf(randomInt(2 ** 31));
