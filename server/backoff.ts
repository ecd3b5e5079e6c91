import { randomInt } from "node:crypto";

/** The n-th pause (from 1): twice the previous one, up to the longest. */
export const growing = (firstMs: number, n: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (n - 1), longestMs);

/**
 * A pause that the other side has a say in: not before it wants to be asked again, but no longer than the
 * longest.
 */
export const atLeast = (ownMs: number, toldMs: number | undefined, longestMs: number): number =>
  Math.max(ownMs, Math.min(toldMs ?? 0, longestMs));

/** Adds or subtracts up to a fifth, so that work that failed together is not retried together. */
export const jittered = (ms: number): number => (ms * randomInt(800, 1201)) / 1000;
