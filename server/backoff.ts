import { randomInt } from "node:crypto";

/** The n-th pause (from 1): twice the previous one, up to the longest. */
export const growing = (firstMs: number, n: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (n - 1), longestMs);

/** A fifth more or less, so that what failed together is not retried together. */
export const jittered = (ms: number): number => (ms * randomInt(800, 1201)) / 1000;
