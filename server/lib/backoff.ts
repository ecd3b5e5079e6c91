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

/** The milliseconds of a `Retry-After` header, a number of seconds or a date (RFC 9110, 10.2.3). */
export const retryAfterMs = (header: string | null | undefined): number | undefined => {
  const text = header?.trim() ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
};
